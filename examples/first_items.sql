-- DuckDB: the first item of every customer, of a run with "take": {"first": ["name", "since"]}.
SELECT customer, "first".name AS name, "first".since AS since, "read"
FROM read_json('run/keys/*/*.jsonl', format = 'newline_delimited', columns = {customer: 'VARCHAR', "first": 'STRUCT(name VARCHAR, since VARCHAR)', "read": 'TIMESTAMP'}, hive_partitioning = false);

-- Text: every character is what it was.
SELECT customer
FROM read_json('run/keys/*/*.jsonl', format = 'newline_delimited', columns = {customer: 'VARCHAR'}, hive_partitioning = false);

-- Binary, which parts hold in base64.
SELECT from_base64(customer) AS customer
FROM read_json('run/keys/*/*.jsonl', format = 'newline_delimited', columns = {customer: 'VARCHAR'}, hive_partitioning = false);

-- Numbers, of a run with "format": "dynamodb-jsonl": a plain JSON number would lose digits beyond the 17th.
SELECT customer.N AS customer
FROM read_json('run/keys/*/*.jsonl', format = 'newline_delimited', columns = {customer: 'STRUCT(N VARCHAR)'}, hive_partitioning = false);

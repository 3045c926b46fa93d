-- Athena: the first item of every customer, of a run with "take": {"first": ["name", "since"]}.
CREATE EXTERNAL TABLE first_items (customer string, `first` struct<name:string,since:string>, `read` string)
ROW FORMAT SERDE 'org.openx.data.jsonserde.JsonSerDe' LOCATION 's3://BUCKET/skipscan/Customers/runs/RUN/keys/';
SELECT customer, "first".name AS name, "first".since AS since, from_iso8601_timestamp("read") AS "read" FROM first_items;

-- Athena: the latest order of every customer, of a run with "take": {"last": ["placed", "total"]}, "prefix": "ORDER#".
CREATE EXTERNAL TABLE latest_orders (customer string, `last` struct<sk:string,placed:string,total:decimal(12,2)>, `read` string)
ROW FORMAT SERDE 'org.openx.data.jsonserde.JsonSerDe' LOCATION 's3://BUCKET/skipscan/Customers/runs/RUN/keys/';
SELECT customer, "last".placed AS placed, "last".total AS total FROM latest_orders WHERE "last" IS NOT NULL;

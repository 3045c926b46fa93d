-- DuckDB over S3, without a copy: the keys of one run. The first two statements need DuckDB's own extensions.
INSTALL httpfs; LOAD httpfs;
CREATE SECRET (TYPE s3, PROVIDER credential_chain, REGION 'us-east-1');
SELECT customer
FROM read_json('s3://BUCKET/skipscan/Orders/runs/RUN/keys/*/*.jsonl', format = 'newline_delimited', columns = {customer: 'VARCHAR'}, hive_partitioning = false);

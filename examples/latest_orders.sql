-- DuckDB: the latest order of every customer, of `skipscan keys Customers --last placed,total --prefix ORDER# --format parquet`.
SELECT customer, "last".placed AS placed, CAST("last".total AS DECIMAL(12, 2)) AS total
FROM 'latest.parquet' WHERE "last" IS NOT NULL;

-- The keys of every run over table Orders. A partition is a run, and each query names the one it wants.
CREATE EXTERNAL TABLE orders_keys (
  customer string
)
PARTITIONED BY (skipscan_run string)
ROW FORMAT SERDE 'org.openx.data.jsonserde.JsonSerDe'
LOCATION 's3://BUCKET/skipscan/Orders/runs/'
TBLPROPERTIES (
  'projection.enabled' = 'true',
  'projection.skipscan_run.type' = 'injected',
  'storage.location.template' = 's3://BUCKET/skipscan/Orders/runs/${skipscan_run}/keys/'
);

SELECT substr(customer, 1, 2) AS beginning, count(*) AS customers
FROM orders_keys
WHERE skipscan_run = 'RUN'
GROUP BY 1
ORDER BY 1;

SELECT nam FROM customers;
SELECT c.nam, o.total FROM shop o JOIN customers c ON c.customer_id = o.customer_id;
SELECT name
  FROM customers
 WHERE cuntry = 'DE';
EXPLAIN SELECT nam FROM customers;
SELECT nope;
SELECT name FROM customer;
SELECT customers FROM customer;
SELECT zzz FROM zzz;
SELECT * FROM dynamo.customers;
USE nowhere;
SELECT LENGHT(name) FROM customers;
SELECT name, LENGTH(name, 1) FROM customers;
SELECT customer_id FROM customers c JOIN shop s ON c.customer_id = s.customer_id;
SELECT name FORM customers;
SELECT count(* FROM customers;
SELECT 'nam', nam FROM customers;
SELECT name FROM order;
SELECT name FROM customers WHERE;
SELECT 1 + ;
SELECT `name FROM customers;
`;
SET ddb_max_rc = 5;
SELECT @@ddb_max_rc;
SET ddb_on_drift = 'ignore';
SELECT city, COUNT(*) FROM customers;
SELECT :unknown;
DELETE FROM customers;
\d custmers
\connect nowhere
\reqests

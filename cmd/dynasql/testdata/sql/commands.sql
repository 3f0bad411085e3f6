\d
\d customers
\d shop
\di shop
\vars
\connect
SELECT name FROM customers WHERE customer_id = 'C0046';
\requests
SELECT name FROM customers WHERE customer_id IN ('C0046', 'C0047') ORDER BY name;
\requests
SELECT name FROM customers WHERE country = 'JP' AND joined >= '2026-10' ORDER BY joined DESC LIMIT 2;
\requests
SELECT c.name, o.total FROM shop o JOIN customers c ON c.customer_id = o.customer_id WHERE o.pk = 'CUSTOMER#C0046' AND o.total > 40;
\requests
SELECT 1;
\requests
\cost

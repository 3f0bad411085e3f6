SELECT name FROM customers WHERE customer_id = :id;
SELECT COUNT(*) AS orders FROM shop WHERE entity = 'order' AND total > :least;
SELECT :none IS NULL AS none, :text AS text, :digits AS digits, ':id' AS quoted;
SELECT sku, price FROM products WHERE sku IN (:a, :b) ORDER BY sku;

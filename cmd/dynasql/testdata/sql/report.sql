-- title: Revenue by country
-- chart: bar x=country y=revenue
SELECT c.country, SUM(o.total) AS revenue
  FROM shop o JOIN customers c ON c.customer_id = o.customer_id
 WHERE o.entity = 'order'
 GROUP BY c.country ORDER BY revenue DESC LIMIT 5;

-- title: A customer's orders
SELECT sk, status, total FROM shop WHERE pk = CONCAT('CUSTOMER#', :id) AND sk LIKE 'ORDER#%' LIMIT 2;

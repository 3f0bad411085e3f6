<?php
// Prepared by the server if the first argument is 1, else by PDO.
$dsn = 'mysql:host=' . getenv('DB_HOST') . ';port=' . getenv('DB_PORT') . ';dbname=' . getenv('DB_NAME') . ';charset=utf8mb4';
$c = new PDO($dsn, getenv('DB_USER'), getenv('DB_PASSWORD'), [
    PDO::ATTR_ERRMODE => PDO::ERRMODE_EXCEPTION, PDO::ATTR_EMULATE_PREPARES => $argv[1] !== '1',
]);
while ($line = fgets(STDIN)) {
    $q = json_decode($line, true);
    $s = $c->prepare($q['sql']);
    $s->execute($q['args']);
    $rows = array_map(fn($r) => array_map(fn($v) => $v === null ? null : (string)$v, $r), $s->fetchAll(PDO::FETCH_NUM));
    echo json_encode($rows), "\n";
}

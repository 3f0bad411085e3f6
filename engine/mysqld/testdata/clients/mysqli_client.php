<?php
// Native prepared statements for all.
mysqli_report(MYSQLI_REPORT_ERROR | MYSQLI_REPORT_STRICT);
$c = new mysqli(getenv('DB_HOST'), getenv('DB_USER'), getenv('DB_PASSWORD'), getenv('DB_NAME'), (int)getenv('DB_PORT'));
$c->set_charset('utf8mb4');
while ($line = fgets(STDIN)) {
    $q = json_decode($line, true);
    $s = $c->prepare($q['sql']);
    if ($q['args']) {
        $types = implode('', array_map(fn($a) => is_int($a) ? 'i' : (is_float($a) ? 'd' : 's'), $q['args']));
        $s->bind_param($types, ...$q['args']);
    }
    $s->execute();
    $rows = array_map(fn($r) => array_map(fn($v) => $v === null ? null : (string)$v, $r), $s->get_result()->fetch_all());
    echo json_encode($rows), "\n";
    $s->close();
}
$r = $c->query('SELECT number FROM orders', MYSQLI_USE_RESULT);
$n = 0;
while ($r->fetch_row()) $n++;
$r->free();
assert_that($n === 15, "unbuffered: $n");
$c->multi_query('SELECT 1; SELECT 2');
do { $r = $c->store_result(); $last = $r->fetch_row()[0]; $r->free(); } while ($c->more_results() && $c->next_result());
assert_that($last == 2, 'multi_query');
assert_that(strpos($c->stat(), 'Uptime') !== false, 'stat: ' . $c->stat());
assert_that($c->change_user('somebody', '', 'information_schema'), 'change_user');
assert_that($c->query('SELECT DATABASE()')->fetch_row()[0] === 'information_schema', 'database after change_user');
assert_that($c->ping(), 'ping');
function assert_that($ok, $what) { if (!$ok) { fwrite(STDERR, "$what\n"); exit(1); } }

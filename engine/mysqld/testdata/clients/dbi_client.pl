# DBD::mysql or DBD::MariaDB, as the first argument says; prepared by the server if the second is 1.
use strict; use warnings; use utf8;
use DBI; use JSON::PP; use Encode;
my ($driver, $server) = @ARGV;
my $tls = $driver eq 'mysql' ? 'mysql_ssl=0' : 'mariadb_ssl=0';
my $dbh = DBI->connect("dbi:$driver:database=$ENV{DB_NAME};host=$ENV{DB_HOST};port=$ENV{DB_PORT};$tls", $ENV{DB_USER}, $ENV{DB_PASSWORD},
  { RaiseError => 1, PrintError => 0, ($driver eq 'mysql' ? (mysql_enable_utf8mb4 => 1, mysql_server_prepare => $server) : (mariadb_server_prepare => $server)) });
my $json = JSON::PP->new->utf8->allow_nonref;
while (my $line = <STDIN>) {
  my $q = $json->decode($line);
  my $sth = $dbh->prepare($q->{sql});
  my $i = 0;
  $sth->bind_param(++$i, $_) for @{$q->{args}};
  $sth->execute;
  my @rows = map { [map { defined $_ ? "$_" : undef } @$_] } @{$sth->fetchall_arrayref};
  print $json->encode(\@rows), "\n";
}
# Of a table without documents: DBD::MariaDB fails on columns of type JSON.
my @columns = map { $_->{COLUMN_NAME} } @{$dbh->column_info(undef, undef, 'customers', '%')->fetchall_arrayref({})};
die "column_info: @columns" unless $columns[0] eq 'id';
my @tables = map { $_->[2] } @{$dbh->table_info(undef, undef, '%', 'TABLE')->fetchall_arrayref};
die "table_info: @tables" unless "@tables" eq 'customers kinds orders';
my @key = map { $_->{COLUMN_NAME} } @{$dbh->primary_key_info(undef, undef, 'orders')->fetchall_arrayref({})};
die "primary_key_info: @key" unless "@key" eq 'customer number';
die 'ping' unless $dbh->ping;
$dbh->disconnect;

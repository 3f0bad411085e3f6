package mysqld_test

import (
	"bytes"
	"context"
	"crypto/pbkdf2"
	"crypto/sha256"
	"crypto/tls"
	"database/sql"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"

	"github.com/dynasql/dynasql/engine/mysqld"
	"github.com/dynasql/dynasql/engine/mysqld/wire"
)

// users are ada, who may read everything, bob, who may read orders only and
// has an old client, and eve, who must use TLS.
func users(t *testing.T) *mysqld.Users {
	t.Helper()
	text := fmt.Sprintf(`
users:
  ada: {password: "%s"}
  bob: {password: "*%s", tables: [dynamodb.orders], max_rcu: 3}
  eve: {password: "%s", require_tls: true, tables: ["dynamodb.*"]}
`, quickHash(t, "ada's"), hex.EncodeToString(wire.NativeHash("bob's")), quickHash(t, "eve's"))
	u, err := mysqld.ReadUsers(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// quickHash is HashPassword with as few iterations as are allowed.
func quickHash(t *testing.T, password string) string {
	t.Helper()
	salt := []byte("salt")
	key, err := pbkdf2.Key(sha256.New, password, salt, 10_000, 32)
	if err != nil {
		t.Fatal(err)
	}
	b64 := base64.RawStdEncoding
	return "pbkdf2-sha256$10000$" + b64.EncodeToString(salt) + "$" + b64.EncodeToString(key)
}

func selfMade(t *testing.T) *tls.Config {
	t.Helper()
	c, err := mysqld.TLSSelfMade(time.Now(), "localhost", "127.0.0.1")
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// as connects as a user; options are those of the driver.
func as(t *testing.T, address, user, password, options string) *sql.DB {
	t.Helper()
	db, err := sql.Open("mysql", fmt.Sprintf("%s:%s@tcp(%s)/dynamodb?%s", user, password, address, options))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

func numberOf(err error) uint16 {
	var e *mysql.MySQLError
	if errors.As(err, &e) {
		return e.Number
	}
	return 0
}

func TestLogin(t *testing.T) {
	var log lockedBuffer
	address := serve(t, newEngine(t, tables(t, "shop")), mysqld.Options{
		Users: users(t), TLS: selfMade(t), Logger: slog.New(slog.NewTextHandler(&log, nil)),
	})
	for _, tt := range []struct {
		name, user, password, options string
		number                        uint16 // 0 for success
	}{
		{"password over TLS", "ada", "ada's", "tls=skip-verify", 0},
		{"password cached", "ada", "ada's", "tls=skip-verify", 0},
		{"password cached, plaintext", "ada", "ada's", "", 0},
		{"password encrypted for the server", "eve", "eve's", "", 3159},
		{"TLS required and used", "eve", "eve's", "tls=skip-verify", 0},
		{"native password", "bob", "bob's", "", 0},
		{"native password over TLS", "bob", "bob's", "tls=skip-verify", 0},
		{"wrong password", "ada", "eve's", "tls=skip-verify", 1045},
		{"wrong password encrypted", "ada", "x", "", 1045},
		{"the right one after wrong ones", "ada", "ada's", "", 0},
		{"wrong native password", "bob", "x", "", 1045},
		{"no password", "ada", "", "tls=skip-verify", 1045},
		{"the right native one after wrong ones", "bob", "bob's", "", 0},
		{"unknown user", "mallory", "ada's", "tls=skip-verify", 1045},
		{"unknown user without TLS", "mallory", "ada's", "", 1045},
	} {
		t.Run(tt.name, func(t *testing.T) {
			err := as(t, address, tt.user, tt.password, tt.options).Ping()
			if tt.number == 0 && err != nil || numberOf(err) != tt.number {
				t.Errorf("login ended with %v, want error %d", err, tt.number)
			}
		})
	}
	for _, secret := range []string{"ada's", "bob's", "eve's"} {
		if strings.Contains(log.String(), secret) {
			t.Errorf("the log has the password %q", secret)
		}
	}
	if !strings.Contains(log.String(), "mallory") {
		t.Errorf("the log does not name who was refused:\n%s", log.String())
	}
}

func TestShowDatabases(t *testing.T) {
	address := serve(t, newEngine(t, tables(t, "shop")), mysqld.Options{Users: users(t), TLS: selfMade(t)})
	for _, tt := range []struct {
		name string
		db   *sql.DB
		want []string
	}{
		{"one who may read everything", as(t, address, "ada", "ada's", "tls=skip-verify"),
			[]string{"dynamodb", "information_schema", "mysql", "performance_schema", "sys"}},
		{"one who may read a table", as(t, address, "bob", "bob's", ""), []string{"dynamodb", "information_schema"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			rows, err := tt.db.Query("SHOW DATABASES")
			if err != nil {
				t.Fatal(err)
			}
			defer rows.Close()
			var got []string
			for rows.Next() {
				var name string
				if err := rows.Scan(&name); err != nil {
					t.Fatal(err)
				}
				got = append(got, name)
			}
			if err := rows.Err(); err != nil || !slices.Equal(got, tt.want) {
				t.Errorf("got %v, %v; want %v", got, err, tt.want)
			}
		})
	}
}

func TestAccounts(t *testing.T) {
	address := serve(t, newEngine(t, tables(t, "shop")), mysqld.Options{Users: users(t), TLS: selfMade(t)})
	ada := as(t, address, "ada", "ada's", "tls=skip-verify")
	bob := as(t, address, "bob", "bob's", "")
	eve := as(t, address, "eve", "eve's", "tls=skip-verify")
	for _, tt := range []struct {
		name   string
		db     *sql.DB
		query  string
		number uint16
		want   string
	}{
		{"all tables", ada, "SELECT COUNT(*) FROM customers", 0, "5"},
		{"all tables are listed", ada, "SELECT COUNT(*) FROM information_schema.tables WHERE table_schema = 'dynamodb'", 0, "3"},
		{"an account does not write", ada, "DELETE FROM orders", 1290, ""},
		{"its own grants", ada, "SHOW GRANTS", 0, "GRANT SELECT, SHOW DATABASES, SHOW VIEW ON *.* TO `ada`@`%`"},
		{"the accounts", ada, "SELECT GROUP_CONCAT(user ORDER BY user) FROM mysql.user", 0, "ada,bob,eve"},
		{"a table allowed", bob, "SELECT COUNT(*) FROM orders WHERE customer = 'c1'", 0, "1"},
		{"a table not allowed", bob, "SELECT COUNT(*) FROM customers", 1142, ""},
		{"a table not allowed, in a join", bob, "SELECT COUNT(*) FROM orders o JOIN customers c ON c.id = o.customer", 1142, ""},
		{"a table not allowed, in a subquery", bob, "SELECT (SELECT MAX(name) FROM customers)", 1142, ""},
		{"a table not allowed, in a common table expression", bob, "WITH c AS (SELECT * FROM customers) SELECT COUNT(*) FROM c", 1142, ""},
		{"a table not allowed, explained", bob, "EXPLAIN SELECT * FROM customers", 1142, ""},
		{"a table not allowed, described", bob, "DESCRIBE customers", 1142, ""},
		{"an index of a table not allowed", bob, "SELECT COUNT(*) FROM `customers.x`", 1142, ""},
		{"only what is allowed is listed", bob, "SELECT GROUP_CONCAT(table_name) FROM information_schema.tables WHERE table_schema = 'dynamodb'", 0, "orders"},
		{"only what is allowed is shown", bob, "SHOW TABLES", 0, "orders"},
		{"the accounts are not for all", bob, "SELECT * FROM mysql.user", 1044, ""},
		{"the cipher", ada, "SELECT variable_value LIKE 'TLS%' FROM performance_schema.session_status WHERE variable_name = 'Ssl_cipher'", 0, "1"},
		{"the budget", bob, "SELECT @@ddb_max_rcu", 0, "3"},
		{"the tables of a database", eve, "SELECT COUNT(*) FROM customers", 0, "5"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			conn, err := tt.db.Conn(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close()
			got, err := firstValue(t.Context(), conn, tt.query)
			if tt.number == 0 && err != nil || numberOf(err) != tt.number || got != tt.want {
				t.Errorf("%s\ngot %q, %v; want %q, error %d", tt.query, got, err, tt.want, tt.number)
			}
		})
	}
}

// TestOthers has one user look at and end what another does.
func TestOthers(t *testing.T) {
	store := newEndless(t, 5)
	address := serve(t, newEngine(t, store), mysqld.Options{Users: users(t), TLS: selfMade(t)})
	ada := as(t, address, "ada", "ada's", "tls=skip-verify")
	bob := as(t, address, "bob", "bob's", "")
	describe(t, ada)
	store.armed.Store(true)
	_, id, ended := start(t, t.Context(), ada, "SELECT COUNT(*) FROM customers WHERE name = 'private'")
	within(t, 5*time.Second, store.waiting, "reading")
	for _, query := range []string{
		"SHOW FULL PROCESSLIST", "SELECT * FROM information_schema.processlist", "SELECT * FROM performance_schema.threads", "SELECT * FROM sys.session",
	} {
		rows, err := bob.Query(query)
		if err != nil {
			continue // not for bob
		}
		columns, _ := rows.Columns()
		for rows.Next() {
			values := make([]any, len(columns))
			for i := range values {
				values[i] = new(sql.NullString)
			}
			if err := rows.Scan(values...); err != nil {
				t.Fatal(err)
			}
			for _, v := range values {
				if strings.Contains(v.(*sql.NullString).String, "private") {
					t.Errorf("%s shows bob what ada does", query)
				}
			}
		}
		rows.Close()
	}
	for _, kill := range []string{"KILL QUERY %d", "KILL %d", "KILL CONNECTION %d"} {
		if _, err := bob.Exec(fmt.Sprintf(kill, id)); numberOf(err) != 1095 {
			t.Errorf("bob's "+kill+" ended with %v, want error 1095", id, err)
		}
	}
	if _, err := ada.Exec(fmt.Sprintf("KILL QUERY %d", id)); err != nil {
		t.Errorf("ada ends her own: %v", err)
	}
	if err := <-ended; numberOf(err) != 1317 {
		t.Errorf("ada's statement ended with %v, want error 1317", err)
	}
	if _, err := bob.Exec("KILL 4000000000"); numberOf(err) != 1094 {
		t.Errorf("the end of nobody: %v, want error 1094", err)
	}
}

// TestOwnBudget has a user try to raise the user's own budget.
func TestOwnBudget(t *testing.T) {
	store := newEndless(t, -1)
	address := serve(t, newEngine(t, store), mysqld.Options{Users: users(t)})
	conn, err := as(t, address, "bob", "bob's", "").Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	for _, raise := range []string{"SET ddb_max_rcu = 1000", "SET ddb_max_rcu = 0", "SET @@session.ddb_max_rcu = DEFAULT"} {
		if _, err := conn.ExecContext(t.Context(), raise); err != nil {
			t.Fatal(err)
		}
		if got, err := firstValue(t.Context(), conn, "SELECT @@ddb_max_rcu"); err != nil || got != "3" {
			t.Errorf("after %s the budget is %s, %v", raise, got, err)
		}
	}
}

func TestReloadUsers(t *testing.T) {
	u := users(t)
	address := serve(t, newEngine(t, tables(t, "shop")), mysqld.Options{Users: u})
	if err := as(t, address, "bob", "bob's", "").Ping(); err != nil {
		t.Fatal(err)
	}
	if err := u.Reload(strings.NewReader("users: {zoe: {password: nothashed}}")); err == nil {
		t.Fatal("a wrong file was taken")
	}
	if err := as(t, address, "bob", "bob's", "").Ping(); err != nil {
		t.Errorf("after a wrong file: %v", err)
	}
	hash := hex.EncodeToString(wire.NativeHash("zoe's"))
	if err := u.Reload(strings.NewReader(`users: {zoe: {password: "*` + hash + `"}}`)); err != nil {
		t.Fatal(err)
	}
	if err := as(t, address, "bob", "bob's", "").Ping(); numberOf(err) != 1045 {
		t.Errorf("bob is gone and connects: %v", err)
	}
	if err := as(t, address, "zoe", "zoe's", "").Ping(); err != nil {
		t.Errorf("zoe: %v", err)
	}
}

func TestChangeUser(t *testing.T) {
	address := serve(t, newEngine(t, tables(t, "shop")), mysqld.Options{Users: users(t)})
	c, greeting := dial(t, address)
	_ = greeting
	c.wire.Answer(wire.Message{Next: 1})
	c.send(handshake("bob"))
	c.proveNative("bob's")
	c.wire.Answer(wire.Message{})
	c.send([]byte("\x11bob\x00\x00dynamodb\x00\xff\x00mysql_native_password\x00"))
	c.proveNative("bob's")
	_, rows := c.query("SELECT CURRENT_USER(), DATABASE()")
	if err := contains(rows[0], "bob@"); err != nil {
		t.Error(err)
	}
}

func TestReadUsersRefuses(t *testing.T) {
	good := mysqld.HashPassword("x")
	for _, tt := range []struct{ name, text, problem string }{
		{"nothing", "", "there is no user"},
		{"no password", "users: {a: {tables: [d.t]}}", "user 'a': there is no password hash"},
		{"a password in clear", "users: {a: {password: secret}}", "must be a hash"},
		{"a short hash", `users: {a: {password: "*12"}}`, "40 hexadecimal digits"},
		{"few iterations", "users: {a: {password: pbkdf2-sha256$1$eA$eA}}", "iterations"},
		{"a damaged hash", "users: {a: {password: '" + good[:len(good)-3] + "'}}", "damaged"},
		{"a table without its database", "users: {a: {password: '" + good + "', tables: [orders]}}", "table 'orders' is not of the form database.table"},
		{"an unknown word", "users: {a: {password: '" + good + "', table: [d.t]}}", "line 1: field table is not known"},
		{"a list for a password", "users: {a: {password: [x]}}", "line 1: a list is not a text"},
		{"no mapping for a user", "users: {a: x}", "line 1: 'x' is not a mapping"},
		{"a negative budget", "users: {a: {password: '" + good + "', max_rcu: -1}}", "max_rcu is negative"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := mysqld.ReadUsers(strings.NewReader(tt.text))
			if err == nil || !strings.Contains(err.Error(), tt.problem) {
				t.Errorf("the error is %v, want %q in it", err, tt.problem)
			}
		})
	}
}

func TestCheckAddress(t *testing.T) {
	u := users(t)
	loopback, everywhere := &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 1}, &net.TCPAddr{IP: net.IPv4zero, Port: 1}
	for _, tt := range []struct {
		name    string
		address net.Addr
		opts    mysqld.Options
		refused bool
	}{
		{"loopback, anybody", loopback, mysqld.Options{}, false},
		{"loopback of version 6", &net.TCPAddr{IP: net.IPv6loopback}, mysqld.Options{}, false},
		{"a unix socket", &net.UnixAddr{Name: "/tmp/x"}, mysqld.Options{}, false},
		{"everywhere, anybody", everywhere, mysqld.Options{TLS: &tls.Config{}}, true},
		{"everywhere of version 6, anybody", &net.TCPAddr{IP: net.IPv6unspecified}, mysqld.Options{}, true},
		{"an address of the network", &net.TCPAddr{IP: net.IPv4(10, 0, 0, 1)}, mysqld.Options{}, true},
		{"everywhere, users, plaintext", everywhere, mysqld.Options{Users: u}, true},
		{"everywhere, users, plaintext allowed", everywhere, mysqld.Options{Users: u, AllowPlaintext: true}, false},
		{"everywhere, users, TLS", everywhere, mysqld.Options{Users: u, TLS: &tls.Config{}}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if err := tt.opts.Check(tt.address); (err != nil) != tt.refused {
				t.Errorf("Check(%s) = %v, want refused %t", tt.address, err, tt.refused)
			}
		})
	}
}

func TestServeRefusesAddress(t *testing.T) {
	l, err := net.Listen("tcp", "0.0.0.0:0")
	if err != nil {
		t.Skip(err)
	}
	var refused *mysqld.RefusedError
	err = mysqld.Serve(context.Background(), newEngine(t, tables(t, "shop")), l, mysqld.Options{})
	if !errors.As(err, &refused) || refused.Hint() == "" {
		t.Errorf("Serve = %v, want a refusal with a hint", err)
	}
}

// handshake is a login that leaves the method to the server.
func handshake(user string) []byte {
	caps := uint32(usual)
	b := []byte{byte(caps), byte(caps >> 8), byte(caps >> 16), byte(caps >> 24), 0, 0, 0, 1, 255}
	b = append(b, make([]byte, 23)...)
	return append(b, user+"\x00\x00mysql_old_password\x00"...)
}

// proveNative answers the server's demand for a native password.
func (c *rawClient) proveNative(password string) {
	c.t.Helper()
	m, err := c.wire.Read(1 << 20)
	if err != nil {
		c.t.Fatal(err)
	}
	method, salt, ok := bytes.Cut(m.Payload[1:], []byte{0})
	if m.Payload[0] != 0xfe || string(method) != wire.NativePassword || !ok {
		c.t.Fatalf("got %q, want a switch to %s", m.Payload, wire.NativePassword)
	}
	c.wire.Answer(m)
	c.send(wire.NativeResponse(password, salt[:20]))
	if err := isOK(c.read()); err != nil {
		c.t.Fatal(err)
	}
}

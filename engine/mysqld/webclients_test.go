package mysqld_test

import (
	"encoding/json"
	"fmt"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/dynasql/dynasql/engine/mysqld"
)

// Where Debian's packages have the two web clients.
const (
	adminerFile      = "/usr/share/adminer/adminer.php"
	phpMyAdminFolder = "/usr/share/phpmyadmin"
)

// webJoin is run in both; webJoined is what they must show.
const webJoin = "SELECT c.name, o.number, o.total FROM customers c JOIN orders o ON o.customer = c.id WHERE o.total > 19 ORDER BY o.total"

var webJoined = [][]string{
	{"Dmitri Ω", "4", "20"},
	{"Eve 🍋", "4", "25"},
	{"Eve 🍋", "5", "31.25"},
}

// webCustomers are rows of the table as they must be shown.
var webCustomers = [][]string{
	{"c1", "10.5", "Ada", "1"},
	{"c2", "0", "Bruno", "0"},
	{"c3", "-3.25", "Chloé", "1"},
	{"c4", "1000", "Dmitri Ω", "0"},
	{"c5", "99999999999999999999999999999999999999", "Eve 🍋", "1"},
}

// webErrors are statements that fail on MySQL as well, with the same number.
var webErrors = map[string]int{
	"SHOW TABLES FROM phpmyadmin": 1049, // which may have been made for phpMyAdmin's own data
	"SELECT @@storage_engine":     1193,
}

// webServer serves the shop to a web client, and fails the test for each
// statement that fails though it should not.
func webServer(t *testing.T, needs ...string) (host, port string) {
	t.Helper()
	if testing.Short() {
		t.Skip("browsers take long")
	}
	for _, program := range append(needs, "php", "chromium", "chromedriver") {
		_, missing := exec.LookPath(program)
		if filepath.IsAbs(program) {
			_, missing = os.Stat(program)
		}
		switch {
		case missing == nil:
		case os.Getenv("DYNASQL_CI") == "1":
			t.Fatal(missing)
		default:
			t.Skip(missing)
		}
	}
	var audit lockedBuffer
	t.Cleanup(func() {
		for line := range strings.Lines(audit.String()) {
			var ran struct {
				Statement string
				Error     int
			}
			if err := json.Unmarshal([]byte(line), &ran); err != nil {
				t.Fatal(err)
			}
			if ran.Error != webErrors[ran.Statement] {
				t.Errorf("error %d for %s", ran.Error, ran.Statement)
			}
		}
	})
	host, port, _ = net.SplitHostPort(serve(t, newEngine(t, tables(t, "shop")), mysqld.Options{Audit: &audit}))
	return host, port
}

// phpServer serves PHP from a folder or a file, and returns its address.
func phpServer(t *testing.T, settings []string, what ...string) string {
	t.Helper()
	address := "127.0.0.1:" + freePort(t)
	args := []string{"-d", "session.save_path=" + t.TempDir(), "-d", "display_errors=0"}
	for _, s := range settings {
		args = append(args, "-d", s)
	}
	background(t, "php", append(append(args, "-S", address), what...)...)
	answers(t, "http://"+address+"/robots.txt")
	return "http://" + address + "/"
}

// rows puts the texts of the cells of a table into rows.
func rows(cells []string, columns int) [][]string {
	var rows [][]string
	for ; len(cells) >= columns; cells = cells[columns:] {
		rows = append(rows, cells[:columns])
	}
	return rows
}

// TestAdminer opens a table and runs a join in Adminer.
func TestAdminer(t *testing.T) {
	host, port := webServer(t, adminerFile)
	address := phpServer(t, nil, adminerFile)
	b := newBrowser(t)
	b.open(address)
	b.enter("//input[@name='auth[server]']", host+":"+port)
	b.enter("//input[@name='auth[username]']", "somebody")
	b.enter("//input[@name='auth[password]']", "secret")
	b.enter("//input[@name='auth[db]']", "dynamodb")
	b.click("//input[@type='submit'][@value='Login']")

	shown := b.texts("//form//table//th/a[starts-with(@id,'Table-')]")
	if want := []string{"customers", "kinds", "orders"}; !slices.Equal(shown, want) {
		t.Errorf("tables %v, want %v", shown, want)
	}
	b.click("//a[@id='Table-orders']")
	columns := b.texts("//table[@class='nowrap'][1]//tbody/tr/th")
	if want := []string{"customer", "number", "lines", "note", "status", "total"}; !slices.Equal(columns, want) {
		t.Errorf("columns of orders %v, want %v", columns, want)
	}
	keys := b.texts("//h3[@id='indexes']/following::table[1]//td")
	if want := []string{"customer, number", "status, number"}; !slices.Equal(keys, want) {
		t.Errorf("indexes of orders %v, want %v", keys, want)
	}

	b.click("//a[@href][starts-with(@title,'Select data')][contains(@href,'select=customers')]|//a[contains(@class,'select')][contains(@href,'select=customers')]")
	got := rows(b.texts("//table[@id='table']//tbody//td[@id]"), 4)
	slices.SortFunc(got, slices.Compare)
	if !reflect.DeepEqual(got, webCustomers) {
		t.Errorf("customers are shown as %q", got)
	}

	base := fmt.Sprintf("%s?server=%s%%3A%s&username=somebody", address, host, port)
	for _, page := range []string{"", "&processlist=", "&variables=", "&status=", "&privileges=", "&db=dynamodb&schema=", "&db=dynamodb&dump=",
		"&db=dynamodb&select=orders&order[0]=total&desc[0]=1&limit=2&page=1", "&db=dynamodb&select=orders&columns[0][fun]=sum&columns[0][col]=total&columns[1][col]=status"} {
		b.open(base + page)
		b.noneOf("//*[@class='error']")
	}

	b.open(base + "&db=dynamodb&sql=" + url.QueryEscape(webJoin))
	b.click("//input[@type='submit'][@value='Execute']")
	got = rows(b.texts("(//div[@class='scrollable']/table)[1]//td"), 3)
	if !reflect.DeepEqual(got, webJoined) {
		t.Errorf("the join is shown as %q", got)
	}
}

// TestPHPMyAdmin does the same in phpMyAdmin.
func TestPHPMyAdmin(t *testing.T) {
	host, port := webServer(t, phpMyAdminFolder)
	folder := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte("<?php\n"+text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	config := write("config.inc.php", fmt.Sprintf(`
		$cfg['blowfish_secret'] = str_repeat('s', SODIUM_CRYPTO_SECRETBOX_KEYBYTES);
		$cfg['Servers'][1] = ['host' => '%s', 'port' => '%s', 'auth_type' => 'cookie'];
		$cfg['TempDir'] = '%s';
		$cfg['SendErrorReports'] = 'never';
		$cfg['CodemirrorEnable'] = false;`, host, port, folder))
	// The package's own configuration is for the whole machine.
	prepend := write("prepend.php", fmt.Sprintf("define('CONFIG_FILE', '%s');", config))
	address := phpServer(t, []string{"auto_prepend_file=" + prepend}, "-t", phpMyAdminFolder)
	b := newBrowser(t)
	b.open(address)
	b.enter("//input[@name='pma_username']", "somebody")
	b.enter("//input[@name='pma_password']", "secret")
	b.click("//input[@id='input_go']")

	b.find("//div[@id='pma_navigation_tree']")
	for _, page := range []string{"/server/status", "/server/status/queries", "/server/variables", "/database/data-dictionary&db=dynamodb",
		"/table/structure&db=dynamodb&table=orders", "/table/operations&db=dynamodb&table=orders"} {
		b.open(address + "index.php?route=" + page)
		b.noneOf("//*[contains(@class,'alert-danger')]|//title[contains(text(),'rror')]")
	}
	b.open(address + "index.php?route=/database/structure&db=dynamodb")
	shown := b.texts("//table[contains(@class,'data')]//tbody//th/a")
	if want := []string{"customers", "kinds", "orders"}; !slices.Equal(shown, want) {
		t.Errorf("tables %v, want %v", shown, want)
	}
	b.click("//table[contains(@class,'data')]//tbody//th/a[normalize-space()='customers']")
	got := rows(b.texts("//table[contains(@class,'table_results')]//tbody//td[contains(@class,'data')]"), 4)
	slices.SortFunc(got, slices.Compare)
	if !reflect.DeepEqual(got, webCustomers) {
		t.Errorf("customers are shown as %q", got)
	}

	b.click("//a[contains(@href,'/table/sql')]")
	b.enter("//textarea[@id='sqlquery']", webJoin)
	b.click("//input[@id='button_submit_query']")
	b.find("//td[normalize-space()='31.25']")
	got = rows(b.texts("//table[contains(@class,'table_results')]//tbody//td[contains(@class,'data')]"), 3)
	if !reflect.DeepEqual(got, webJoined) {
		t.Errorf("the join is shown as %q", got)
	}
}

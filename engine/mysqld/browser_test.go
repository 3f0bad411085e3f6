package mysqld_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"
)

// A browser is a headless Chromium, driven by W3C WebDriver. Elements are named
// by XPath, and waited for.
type browser struct {
	t       *testing.T
	session string // its address
}

// newBrowser needs chromium and chromedriver.
func newBrowser(t *testing.T) *browser {
	t.Helper()
	port := freePort(t)
	background(t, "chromedriver", "--port="+port, "--log-level=SEVERE")
	b := &browser{t: t, session: "http://127.0.0.1:" + port}
	answers(t, b.session+"/status")
	options := map[string]any{"args": []string{"--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
		"--window-size=1400,1000", "--user-data-dir=" + filepath.Join(t.TempDir(), "profile")}}
	var made struct {
		SessionID string `json:"sessionId"`
	}
	b.call(http.MethodPost, "/session", map[string]any{"capabilities": map[string]any{"alwaysMatch": map[string]any{
		"goog:chromeOptions": options, "timeouts": map[string]int{"implicit": 30_000}, "unhandledPromptBehavior": "accept"}}}, &made)
	b.session += "/session/" + made.SessionID
	t.Cleanup(func() {
		if t.Failed() {
			b.report()
		}
		b.call(http.MethodDelete, "", nil, nil)
	})
	return b
}

// call sends a command of WebDriver and decodes its value.
func (b *browser) call(method, path string, in, out any) {
	b.t.Helper()
	body := []byte("{}")
	if in != nil {
		body, _ = json.Marshal(in)
	}
	request, err := http.NewRequest(method, b.session+path, bytes.NewReader(body))
	if err != nil {
		b.t.Fatal(err)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		b.t.Fatal(err)
	}
	defer response.Body.Close()
	answer := struct{ Value json.RawMessage }{}
	if err := json.NewDecoder(response.Body).Decode(&answer); err != nil {
		b.t.Fatal(err)
	}
	if response.StatusCode != http.StatusOK {
		b.t.Fatalf("%s %v: %s", path, in, answer.Value)
	}
	if out != nil {
		if err := json.Unmarshal(answer.Value, out); err != nil {
			b.t.Fatal(err)
		}
	}
}

func (b *browser) open(address string) {
	b.t.Helper()
	b.call(http.MethodPost, "/url", map[string]string{"url": address}, nil)
}

// find waits for an element and returns its number.
func (b *browser) find(xpath string) string {
	b.t.Helper()
	var found map[string]string
	b.call(http.MethodPost, "/element", map[string]string{"using": "xpath", "value": xpath}, &found)
	for _, id := range found {
		return id
	}
	b.t.Fatalf("no element for %s", xpath)
	return ""
}

func (b *browser) click(xpath string) {
	b.t.Helper()
	b.call(http.MethodPost, "/element/"+b.find(xpath)+"/click", nil, nil)
}

// enter types into a field in place of what it has.
func (b *browser) enter(xpath, text string) {
	b.t.Helper()
	element := "/element/" + b.find(xpath)
	b.call(http.MethodPost, element+"/clear", nil, nil)
	b.call(http.MethodPost, element+"/value", map[string]string{"text": text}, nil)
}

// run runs JavaScript in the page and decodes what it returns.
func (b *browser) run(script string, out any, args ...any) {
	b.t.Helper()
	if args == nil {
		args = []any{}
	}
	b.call(http.MethodPost, "/execute/sync", map[string]any{"script": script, "args": args}, out)
}

// texts waits for an element and returns the texts of all that there are.
func (b *browser) texts(xpath string) []string {
	b.t.Helper()
	b.find(xpath)
	return b.evaluate(xpath)
}

func (b *browser) evaluate(xpath string) []string {
	b.t.Helper()
	var texts []string
	b.run(`const found = document.evaluate(arguments[0], document, null, XPathResult.ORDERED_NODE_SNAPSHOT_TYPE, null), texts = [];
		for (let i = 0; i < found.snapshotLength; i++) texts.push(found.snapshotItem(i).textContent.trim());
		return texts;`, &texts, xpath)
	return texts
}

// noneOf fails the test for elements that the page has.
func (b *browser) noneOf(xpath string) {
	b.t.Helper()
	if found := b.evaluate(xpath); len(found) > 0 {
		var page string
		b.run("return location.href", &page)
		b.t.Errorf("%s shows %q", page, found)
	}
}

// report shows what the page has, and keeps a picture of it where
// DYNASQL_SCREENSHOTS says.
func (b *browser) report() {
	var page string
	b.run("return location.href + '\\n' + document.body.innerText", &page)
	b.t.Logf("the page:\n%s", page)
	folder := os.Getenv("DYNASQL_SCREENSHOTS")
	if folder == "" {
		return
	}
	var png []byte
	b.call(http.MethodGet, "/screenshot", nil, &png)
	if err := os.WriteFile(filepath.Join(folder, filepath.Base(b.t.Name())+".png"), png, 0o600); err != nil {
		b.t.Log(err)
	}
}

// background runs a program until the test ends.
func background(t *testing.T, name string, args ...string) {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.WaitDelay = time.Second // for what it has started
	var log bytes.Buffer
	cmd.Stdout, cmd.Stderr = &log, &log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		if t.Failed() {
			t.Logf("%s wrote:\n%.2000s", name, log.String())
		}
	})
}

// answers waits until an address answers.
func answers(t *testing.T, address string) {
	t.Helper()
	deadline := time.Now().Add(30 * time.Second)
	for {
		response, err := http.Get(address)
		if err == nil {
			_, _ = io.Copy(io.Discard, response.Body)
			response.Body.Close()
			return
		}
		if time.Now().After(deadline) {
			t.Fatal(err)
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// freePort is one on which nothing listens.
func freePort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return strconv.Itoa(l.Addr().(*net.TCPAddr).Port)
}

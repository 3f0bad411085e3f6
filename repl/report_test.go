package repl

import (
	"bytes"
	"context"
	"image"
	_ "image/png"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/dynasql/dynasql/repl/format"
)

const reportScript = `-- title: Revenue by city
-- chart: bar x=city y=revenue
SELECT city, revenue FROM sales;
-- title: A series
-- chart: line x=id y=day title="One day after the other"
SELECT id, day FROM series;
-- title: All kinds of values
SELECT * FROM kinds;
`

func writeReport(t *testing.T) []byte {
	t.Helper()
	var page bytes.Buffer
	sh := New(newFakeSession(), Options{Out: &page, Format: format.HTML, Title: "Sales & more"})
	if err := sh.Script(context.Background(), "report.sql", strings.NewReader(reportScript)); err != nil {
		t.Fatal(err)
	}
	if err := sh.Close(); err != nil {
		t.Fatal(err)
	}
	return page.Bytes()
}

func TestReportIsSelfContained(t *testing.T) {
	page := string(writeReport(t))
	for _, want := range []string{"<title>Sales &amp; more</title>", "<h2>Revenue by city</h2>", "<td>Tromsø</td>", "</html>\n"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if n := strings.Count(page, "<svg"); n != 2 {
		t.Errorf("the page has %d charts, want 2", n)
	}
	for _, bad := range []string{"<script", "<link rel=\"stylesheet", "src=", "url("} {
		if strings.Contains(page, bad) {
			t.Errorf("the page has %q", bad)
		}
	}
}

// TestReportInBrowser opens the page in headless Chromium: no message on the
// console, and ink where the chart and the table are.
func TestReportInBrowser(t *testing.T) {
	browser, err := exec.LookPath("chromium")
	if err != nil {
		if os.Getenv("DYNASQL_CI") == "1" {
			t.Fatal("chromium is missing")
		}
		t.Skip("no chromium")
	}
	dir := t.TempDir()
	path, shot := filepath.Join(dir, "report.html"), filepath.Join(dir, "report.png")
	if err := os.WriteFile(path, writeReport(t), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, browser, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
		"--user-data-dir="+filepath.Join(dir, "profile"), "--enable-logging=stderr", "--v=0", "--window-size=1000,1600", "--screenshot="+shot, "file://"+path)
	log, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("chromium: %v\n%s", err, log)
	}
	if bytes.Contains(log, []byte("CONSOLE")) {
		t.Errorf("the page wrote to the console:\n%s", log)
	}
	f, err := os.Open(shot)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	picture, _, err := image.Decode(f)
	if err != nil {
		t.Fatal(err)
	}
	if keep := os.Getenv("REPL_TEST_SCREENSHOT"); keep != "" {
		raw, _ := os.ReadFile(shot)
		if err := os.WriteFile(keep, raw, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	bars := 0
	for y := range picture.Bounds().Dy() {
		for x := range picture.Bounds().Dx() {
			if r, g, b, _ := picture.At(x, y).RGBA(); r>>8 == 84 && g>>8 == 112 && b>>8 == 198 {
				bars++
			}
		}
	}
	if bars < 5000 {
		t.Errorf("the screenshot shows %d dots in the colour of the bars, want thousands", bars)
	}
}

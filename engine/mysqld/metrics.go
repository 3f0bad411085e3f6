package mysqld

import (
	"fmt"
	"io"
	"net/http"
	"sync/atomic"
	"time"
)

// Metrics counts what a server does. The zero value is ready; it may be read
// while the server runs.
type Metrics struct {
	started      atomic.Int64 // Unix time; 0 before Serve
	ending       atomic.Bool
	connections  atomic.Int64
	accepted     atomic.Int64
	refused      atomic.Int64
	failedLogins atomic.Int64
	commands     atomic.Int64
	statements   atomic.Int64
	failed       atomic.Int64
	running      atomic.Int64
	rows         atomic.Int64
	items        atomic.Int64
	milliUnits   atomic.Int64 // read units, in thousandths
	micros       atomic.Int64 // of running statements
}

func (m *Metrics) start() {
	m.started.CompareAndSwap(0, time.Now().Unix())
}

// uptime is in seconds.
func (m *Metrics) uptime() int64 {
	if at := m.started.Load(); at != 0 {
		return time.Now().Unix() - at
	}
	return 0
}

// Handler serves /metrics in the text format of Prometheus, and /healthz, which
// is 200 while the server accepts connections and 503 before and after.
func (m *Metrics) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /metrics", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
		m.write(w)
	})
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		if m.started.Load() == 0 || m.ending.Load() {
			w.WriteHeader(http.StatusServiceUnavailable)
			fmt.Fprintln(w, "not serving")
			return
		}
		fmt.Fprintln(w, "ok")
	})
	return mux
}

func (m *Metrics) write(w io.Writer) {
	for _, s := range []struct {
		name, kind, help string
		value            float64
	}{
		{"connections", "gauge", "Open connections.", float64(m.connections.Load())},
		{"connections_accepted_total", "counter", "Connections accepted.", float64(m.accepted.Load())},
		{"connections_refused_total", "counter", "Connections refused because there were too many.", float64(m.refused.Load())},
		{"logins_failed_total", "counter", "Logins that failed.", float64(m.failedLogins.Load())},
		{"commands_total", "counter", "Commands of the protocol received.", float64(m.commands.Load())},
		{"statements_running", "gauge", "Statements that run now.", float64(m.running.Load())},
		{"statements_total", "counter", "Statements run.", float64(m.statements.Load())},
		{"statements_failed_total", "counter", "Statements that failed.", float64(m.failed.Load())},
		{"statement_seconds_total", "counter", "Seconds that statements have run.", float64(m.micros.Load()) / 1e6},
		{"rows_sent_total", "counter", "Rows sent to clients.", float64(m.rows.Load())},
		{"items_read_total", "counter", "Items read from DynamoDB.", float64(m.items.Load())},
		{"read_units_total", "counter", "Read units consumed.", float64(m.milliUnits.Load()) / 1e3},
		{"uptime_seconds", "gauge", "Seconds since the server began.", float64(m.uptime())},
	} {
		fmt.Fprintf(w, "# HELP dynasql_%s %s\n# TYPE dynasql_%s %s\ndynasql_%s %g\n", s.name, s.help, s.name, s.kind, s.name, s.value)
	}
}

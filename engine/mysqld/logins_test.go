package mysqld

import (
	"testing"
	"time"
)

func TestDelayOfFailedLogins(t *testing.T) {
	l, now := newLogins(), time.Unix(1_000_000, 0)
	for i, want := range []time.Duration{0, 0, 250 * time.Millisecond, 500 * time.Millisecond, time.Second, 2 * time.Second, 4 * time.Second, 4 * time.Second} {
		if got := l.failed("10.0.0.1", now); got != want {
			t.Errorf("failure %d waits %s, want %s", i+1, got, want)
		}
	}
	if got := l.failed("10.0.0.2", now); got != 0 {
		t.Errorf("another host waits %s", got)
	}
	if got := l.failed("10.0.0.1", now.Add(forgetAfter+time.Second)); got != 0 {
		t.Errorf("after a pause the host waits %s", got)
	}
	l.failed("10.0.0.2", now)
	l.succeeded("10.0.0.2")
	l.failed("10.0.0.2", now)
	if got := l.failed("10.0.0.2", now); got != 0 {
		t.Errorf("after a success the host waits %s", got)
	}
}

func TestLoginsRememberFewHosts(t *testing.T) {
	l := newLogins()
	for i := range 3 * rememberHosts {
		l.failed(string(rune(i)), time.Unix(0, 0))
	}
	if n := len(l.failures); n > rememberHosts {
		t.Errorf("%d hosts are remembered", n)
	}
}

func TestNormalize(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"constants", "SELECT a FROM t WHERE b = 'secret' AND c > 1.5 AND d = x'ff'", "SELECT a FROM t WHERE b = ? AND c > ? AND d = ?"},
		{"symbols", "SELECT a FROM t WHERE b <= 1 AND c <> 2 AND d->>'$.x' <=> NULL", "SELECT a FROM t WHERE b <= ? AND c <> ? AND d ->> ? <=> NULL"},
		{"parameters", "SELECT ? FROM t", "SELECT ? FROM t"},
		{"comments", "/* who */ SELECT 1 -- secret", "SELECT ?"},
		{"an open quote", "SELECT 'secret", "SELECT ..."},
		{"nothing", "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got, _ := normalize(tt.text); got != tt.want {
				t.Errorf("normalize(%q) = %q, want %q", tt.text, got, tt.want)
			}
		})
	}
	_, one := normalize("SELECT a FROM t WHERE b = 1")
	_, two := normalize("select a  from t where b = 22")
	if _, other := normalize("SELECT a FROM t WHERE c = 1"); one != two || one == other {
		t.Errorf("digests %s, %s, %s: want the first two alike", one, two, other)
	}
}

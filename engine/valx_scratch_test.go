package engine_test

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

func TestValx(t *testing.T) {
	f := os.Getenv("VALX")
	if f == "" {
		t.Skip()
	}
	b, _ := os.ReadFile(f)
	parts := strings.SplitN(string(b), "\n---\n", 2)
	var fx []fixture
	for _, l := range strings.Split(parts[0], "\n") {
		l = strings.TrimSpace(l)
		if l == "" {
			continue
		}
		if strings.HasPrefix(l, "table ") {
			p := strings.Fields(l)
			f := fixture{name: p[1], hash: p[2]}
			if len(p) > 3 {
				f.sort = p[3]
			}
			fx = append(fx, f)
			continue
		}
		fx[len(fx)-1].items = append(fx[len(fx)-1].items, l)
	}
	s := sessionOver(t, fx...)
	for _, q := range strings.Split(parts[1], "\n") {
		if q = strings.TrimSpace(q); q == "" {
			continue
		}
		fmt.Println("> " + q)
		rows, err := answer(s, q)
		if err != nil {
			fmt.Println("  ERR", err)
			continue
		}
		for _, r := range rows {
			fmt.Println("  " + r)
		}
		for _, w := range s.BaseSession.Warnings() {
			fmt.Println("  warn", w.Message)
		}
	}
}

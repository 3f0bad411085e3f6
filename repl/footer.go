package repl

import (
	"fmt"
	"math"
	"slices"
	"sort"
	"strconv"
	"strings"
	"time"
)

// footer is the line after a statement: rows, time, requests, read units, money.
func (sh *Shell) footer(o outcome) string {
	var parts []string
	switch {
	case o.shown.writer != nil:
		parts = append(parts, count(o.shown.count, "row"))
	default:
		parts = append(parts, "OK", count(o.rows.Affected(), "row")+" affected")
	}
	if sh.settings.timing {
		parts = append(parts, duration(o.elapsed))
	}
	return strings.Join(append(parts, consumption(o.rows.Stats())...), ", ")
}

// consumption is what a statement sent and read, in words.
func consumption(s Stats) []string {
	if len(s.Requests) == 0 {
		return []string{"no requests"}
	}
	var parts []string
	for _, op := range sortedKeys(s.Requests) {
		parts = append(parts, thousands(s.Requests[op])+" "+op)
	}
	list := []string{strings.Join(parts, " + "), count(s.ItemsRead, "item") + " read"}
	if s.ItemsReturned != s.ItemsRead {
		list[1] += ", " + thousands(s.ItemsReturned) + " returned"
	}
	list = append(list, units(s.ReadUnits))
	if s.CostUSD > 0 {
		list = append(list, money(s.CostUSD))
	}
	if s.Throttles > 0 {
		list = append(list, count(s.Throttles, "throttle"))
	}
	return list
}

// sampling is what looking at tables has read since the session began.
func (sh *Shell) sampling() Sampling {
	if s, ok := sh.session.(Sampler); ok {
		return s.Sampling()
	}
	return Sampling{}
}

// tellSampling says what the first look at tables has read since this was said
// last.
func (sh *Shell) tellSampling() {
	told, now := sh.sampled, sh.sampling()
	sh.sampled = now
	if now.Requests == told.Requests || !sh.settings.footer {
		return
	}
	parts := []string{count(now.Items-told.Items, "item"), units(now.ReadUnits - told.ReadUnits)}
	if cost := now.CostUSD - told.CostUSD; cost > 0 {
		parts = append(parts, money(cost))
	}
	sh.note("%s", sh.dim("Sampled once to find the columns: "+strings.Join(parts, ", ")))
}

// spending is what a session has read of one table.
type spending struct {
	table     string
	requests  int64
	items     int64
	readUnits float64
	costUSD   float64
}

func (s *spending) add(other spending) {
	s.requests += other.requests
	s.items += other.items
	s.readUnits += other.readUnits
	s.costUSD += other.costUSD
}

// booked are the reads with their figures. Where a session tells only the sums of
// a statement, these are booked on all its tables together.
func (s Stats) booked() []Read {
	var names []string
	for _, r := range s.Reads {
		if r.Requests > 0 {
			return s.Reads
		}
		if !slices.Contains(names, r.Table) {
			names = append(names, r.Table)
		}
	}
	sum := Read{Table: strings.Join(names, " + "), ItemsRead: s.ItemsRead, ReadUnits: s.ReadUnits, CostUSD: s.CostUSD}
	for _, n := range s.Requests {
		sum.Requests += n
	}
	if len(names) == 0 || sum.Requests == 0 {
		return nil
	}
	return []Read{sum}
}

// settle books what a statement consumed.
func (sh *Shell) settle(s Stats) {
	sh.stats = s
	for _, r := range s.booked() {
		b := sh.spent[r.Table]
		if b == nil {
			b = &spending{table: r.Table}
			sh.spent[r.Table] = b
		}
		b.add(spending{requests: r.Requests, items: r.ItemsRead, readUnits: r.ReadUnits, costUSD: r.CostUSD})
	}
}

// spendings lists the booked tables, the most expensive first.
func (sh *Shell) spendings() []*spending {
	var list []*spending
	for _, name := range sortedKeys(sh.spent) {
		list = append(list, sh.spent[name])
	}
	sort.SliceStable(list, func(i, j int) bool { return list[i].readUnits > list[j].readUnits })
	return list
}

// count is a number of things: "1 row", "2,000 rows".
func count(n int64, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return thousands(n) + " " + thing + "s"
}

// thousands writes n with commas between groups of three digits.
func thousands(n int64) string {
	s := strconv.FormatInt(n, 10)
	sign := ""
	if s[0] == '-' {
		sign, s = "-", s[1:]
	}
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return sign + s
}

// number writes read units: whole ones with commas, small ones with a fraction.
func number(f float64) string {
	if f == math.Trunc(f) || math.Abs(f) >= 1000 {
		return thousands(int64(math.Round(f)))
	}
	return strconv.FormatFloat(f, 'f', -1, 64)[:min(len(strconv.FormatFloat(f, 'f', -1, 64)), 6)]
}

// units is a number of read units: "1 read unit", "0.5 read units".
func units(f float64) string {
	if f == 1 {
		return "1 read unit"
	}
	return number(f) + " read units"
}

// money writes dollars with two significant digits below a dollar.
func money(usd float64) string {
	if usd <= 0 || usd >= 0.1 {
		return fmt.Sprintf("$%.2f", usd)
	}
	digits := 1 - int(math.Floor(math.Log10(usd)))
	return "$" + strings.TrimRight(strconv.FormatFloat(usd, 'f', digits, 64), "0")
}

// duration writes a time with the digits that matter.
func duration(d time.Duration) string {
	switch {
	case d < time.Millisecond:
		return "0 ms"
	case d < time.Second:
		return fmt.Sprintf("%d ms", d.Milliseconds())
	case d < time.Minute:
		return fmt.Sprintf("%.2f s", d.Seconds())
	case d < time.Hour:
		return fmt.Sprintf("%d min %d s", int(d.Minutes()), int(d.Seconds())%60)
	}
	return fmt.Sprintf("%d h %d min", int(d.Hours()), int(d.Minutes())%60)
}

// bytesText writes a size in the units of DynamoDB's price list (1 KB = 1024).
func bytesText(n int64) string {
	units := []string{"B", "KB", "MB", "GB", "TB"}
	f, i := float64(n), 0
	for f >= 1024 && i < len(units)-1 {
		f /= 1024
		i++
	}
	if i == 0 {
		return fmt.Sprintf("%d B", n)
	}
	return fmt.Sprintf("%.1f %s", f, units[i])
}

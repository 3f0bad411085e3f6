package engine

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"

	"github.com/dynasql/dynasql/connector"
)

// current is the session's database, if it is one of our connections.
func (e *Engine) current(ctx *sql.Context) *connector.Database {
	for _, d := range e.databases {
		if strings.EqualFold(d.Name(), ctx.GetCurrentDatabase()) {
			return d
		}
	}
	return nil
}

// nearest finds the name that a mistyped one probably means: the least number
// of inserted, deleted, replaced or exchanged letters, at most a third of them.
func nearest(name string, names []string) string {
	best, least := "", len([]rune(name))/3+1
	for _, candidate := range names {
		if d := distance(strings.ToLower(name), strings.ToLower(candidate)); d < least || d == least && best == "" {
			best, least = candidate, d
		}
	}
	return best
}

// distance is the optimal string alignment distance.
func distance(a, b string) int {
	s, t := []rune(a), []rune(b)
	rows := [3][]int{make([]int, len(t)+1), make([]int, len(t)+1), make([]int, len(t)+1)}
	for j := range rows[1] {
		rows[1][j] = j
	}
	before, last, this := rows[0], rows[1], rows[2]
	for i := 1; i <= len(s); i++ {
		this[0] = i
		for j := 1; j <= len(t); j++ {
			cost := 1
			if s[i-1] == t[j-1] {
				cost = 0
			}
			this[j] = min(last[j]+1, this[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && s[i-1] == t[j-2] && s[i-2] == t[j-1] {
				this[j] = min(this[j], before[j-2]+1)
			}
		}
		before, last, this = last, this, before
	}
	return last[len(t)]
}

package repl

import (
	"io"
	"strings"
)

// nearest returns the name most like the given one, or "" if none is near: at
// most a third of the letters may differ.
func nearest(name string, names []string) string {
	best, distance := "", len(name)/3+1
	for _, n := range names {
		if d := editDistance(strings.ToLower(name), strings.ToLower(n)); d < distance {
			best, distance = n, d
		}
	}
	return best
}

// editDistance counts the letters to insert, delete or replace.
func editDistance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		diagonal := row[0]
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			next := min(row[j]+1, row[j-1]+1, diagonal+cost)
			diagonal, row[j] = row[j], next
		}
	}
	return row[len(b)]
}

// quoteName writes an identifier in back quotes.
func quoteName(s string) string { return "`" + strings.ReplaceAll(s, "`", "``") + "`" }

// ignoreEOF turns the end of rows into no error.
func ignoreEOF(err error) error {
	if err == io.EOF {
		return nil
	}
	return err
}

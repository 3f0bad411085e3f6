package function

import (
	"errors"
	"sync"

	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/mysql"

	"github.com/dynasql/dynasql/engine/pattern"
)

// RegexpLike is the function that the parser puts in place of REGEXP and RLIKE.
const RegexpLike = "regexp_like"

// patterns are functions of regular expressions.
var patterns = map[string]definition{
	RegexpLike:       {least: 2, most: 3, typ: boolean, eval: regexpLike},
	"regexp_instr":   {least: 2, most: 6, typ: integer, eval: regexpInstr},
	"regexp_substr":  {least: 2, most: 5, typ: text, eval: regexpSubstr},
	"regexp_replace": {least: 3, most: 6, typ: text, eval: regexpReplace},
}

// pattern is the second argument, compiled by the match type in the argument
// whose place is given.
func (c *call) pattern(matchType int) (*pattern.Pattern, error) {
	for i := range 2 {
		if types.IsBinaryType(c.typeOf(i)) {
			return nil, mysql.NewSQLError(3995, "HY000",
				"Character set 'binary' cannot be used in conjunction with 'utf8mb4' in call to %s.", c.scalar.Name)
		}
	}
	source, err := c.text(1)
	if err != nil {
		return nil, err
	}
	opts := pattern.Options{IgnoreCase: c.ignoresCase(0, 1)}
	letters := ""
	if c.has(matchType) {
		if letters, err = c.text(matchType); err != nil {
			return nil, err
		}
	}
	for _, r := range letters { // the last of two that contradict each other counts
		switch r {
		case 'c':
			opts.IgnoreCase = false
		case 'i':
			opts.IgnoreCase = true
		case 'm':
			opts.Multiline = true
		case 'n':
			opts.DotAll = true
		case 'u':
			opts.UnixLines = true
		default:
			return nil, wrongArguments(c.scalar.Name)
		}
	}
	return c.scalar.compiled.pattern(source, opts)
}

// compiled is the pattern of a call, which is compiled once for all rows that
// have the same. It may be used by several goroutines.
type compiled struct {
	mu     sync.Mutex
	source string
	opts   pattern.Options
	last   *pattern.Pattern
}

func (k *compiled) pattern(source string, opts pattern.Options) (*pattern.Pattern, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.last != nil && k.source == source && k.opts == opts {
		return k.last, nil
	}
	p, err := pattern.Compile(source, opts)
	if err != nil {
		return nil, err
	}
	k.source, k.opts, k.last = source, opts, p
	return p, nil
}

// subject is the text to search and the place from which on.
func (c *call) subject(position int) ([]rune, int, error) {
	s, err := c.text(0)
	if err != nil {
		return nil, 0, err
	}
	from := int64(1)
	if c.has(position) {
		from = c.integer(position)
	}
	return []rune(s), int(max(-1, min(from-1, MostBytes))), nil
}

// occurrence is which match is meant, from 1.
func (c *call) occurrence(i int) int {
	if !c.has(i) {
		return 1
	}
	return int(max(1, min(c.integer(i), MostBytes)))
}

func regexpLike(c *call) (any, error) {
	p, err := c.pattern(2)
	if err != nil {
		return nil, err
	}
	s, err := c.text(0)
	if err != nil {
		return nil, err
	}
	return p.Matches(s)
}

// regexpInstr is REGEXP_INSTR(text, pattern[, from[, nth[, behind[, match
// type]]]]): the place of a match, or with behind = 1 that after it, from 1.
func regexpInstr(c *call) (any, error) {
	p, err := c.pattern(5)
	if err != nil {
		return nil, err
	}
	behind := int64(0)
	if c.has(4) {
		if behind = c.integer(4); behind != 0 && behind != 1 {
			return nil, mysql.NewSQLError(1210, "HY000", "Incorrect arguments to regexp_instr: return_option must be 1 or 0.")
		}
	}
	s, from, err := c.subject(2)
	if err != nil {
		return nil, err
	}
	start, end, found, err := p.Find(s, from, c.occurrence(3))
	switch {
	case err != nil:
		return nil, err
	case !found:
		return int64(0), nil
	case behind == 1:
		return int64(end + 1), nil
	}
	return int64(start + 1), nil
}

func regexpSubstr(c *call) (any, error) {
	p, err := c.pattern(4)
	if err != nil {
		return nil, err
	}
	s, from, err := c.subject(2)
	if err != nil {
		return nil, err
	}
	start, end, found, err := p.Find(s, from, c.occurrence(3))
	if err != nil || !found {
		return nil, err
	}
	return string(s[start:end]), nil
}

// regexpReplace is REGEXP_REPLACE(text, pattern, by[, from[, nth[, match
// type]]]); the nth match is replaced, or all for 0.
func regexpReplace(c *call) (any, error) {
	p, err := c.pattern(5)
	if err != nil {
		return nil, err
	}
	by, err := c.text(2)
	if err != nil {
		return nil, err
	}
	s, from, err := c.subject(3)
	if err != nil {
		return nil, err
	}
	nth := 0
	if c.has(4) && c.integer(4) != 0 {
		nth = c.occurrence(4)
	}
	out, err := p.Replace(s, pattern.Replacement(by), from, nth, MostBytes)
	if errors.Is(err, pattern.ErrTooLong) {
		TooLong(c.ctx, c.scalar.Name)
		return nil, nil
	}
	return out, err
}

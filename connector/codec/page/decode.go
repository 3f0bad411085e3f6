package page

import (
	"errors"
	"strconv"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/dynasql/dynasql/connector/schema"
)

// ErrMalformed reports a body that is not the JSON of a DynamoDB answer.
var ErrMalformed = errors.New("the answer is not DynamoDB JSON")

// Answer is what a body says beside its items.
type Answer struct {
	Count       int64                             // items that passed the filter
	Scanned     int64                             // items read
	Units       float64                           // read units consumed
	LastKey     map[string]types.AttributeValue   // where to go on; nil at the end
	Unprocessed []map[string]types.AttributeValue // keys that BatchGetItem left out
}

// Decoder decodes bodies into batches with the same columns. It learns the
// order of attributes from item to item. A Decoder belongs to one goroutine.
type Decoder struct {
	cursor
	batch   *Batch
	columns []string
	known   map[string]guess
	guesses []guess // by position in the item
	name    []byte
	answer  Answer
}

// guess is the attribute expected at a place of an item.
type guess struct {
	text   string // name":{"
	column int    // -1: not wanted
}

// How much is remembered of names that are not wanted.
const (
	maxKnown   = 4096
	maxGuesses = 256
)

// NewDecoder makes a decoder for batches with a column for each attribute.
func NewDecoder(attributes []string) *Decoder {
	d := &Decoder{columns: attributes, known: make(map[string]guess, len(attributes))}
	for i, a := range attributes {
		d.known[a] = guess{text: a + `":{"`, column: i} // a name that JSON escapes never matches: the slow way then
	}
	return d
}

// Batch makes an empty batch with the columns of the decoder.
func (d *Decoder) Batch() *Batch { return NewBatch(d.columns) }

// Decode replaces the rows of the batch by the items of a body. At least Spare
// bytes of capacity follow the body; the batch keeps its memory. The error is
// ErrMalformed or nil.
func (d *Decoder) Decode(body []byte, b *Batch) (Answer, error) {
	if cap(body) < len(body)+Spare {
		body = append(make([]byte, 0, len(body)+Spare), body...)
	}
	d.start(b, body)
	defer d.release()
	end := d.each(d.blanks(0), '{', '}', d.section)
	if end < 0 || d.blanks(end) != d.n {
		b.Clear()
		return Answer{}, ErrMalformed
	}
	return d.answer, nil
}

func (d *Decoder) start(b *Batch, body []byte) {
	n := len(body)
	padded := body[:n+Spare]
	clear(padded[n:])
	b.columns, b.buf, b.rows, b.vals = d.columns, padded, 0, b.vals[:0]
	d.cursor = cursor{padded, n}
	d.batch, d.answer = b, Answer{}
}

// release forgets the buffer, which belongs to the batch: decoders rest while
// others work.
func (d *Decoder) release() { d.cursor, d.batch = cursor{}, nil }

// section reads one key of the answer and its value.
func (d *Decoder) section(i int) int {
	start, end, i, _ := d.text(i)
	if i < 0 {
		return -1
	}
	if i = d.want(i, ':'); i < 0 {
		return -1
	}
	i = d.blanks(i)
	key := d.b[start:end]
	if i < d.n && d.b[i] == 'n' { // null
		return d.skip(i)
	}
	switch string(key) {
	case "Items":
		return d.items(i)
	case "Item":
		return d.item(i)
	case "Responses":
		return d.eachValue(i, func(_ []byte, i int) int { return d.items(i) })
	case "LastEvaluatedKey":
		d.answer.LastKey, i = d.attributes(i, 0)
		return i
	case "UnprocessedKeys":
		return d.eachValue(i, d.unprocessed)
	case "ConsumedCapacity":
		return d.capacity(i)
	case "Count":
		return d.number64(i, &d.answer.Count)
	case "ScannedCount":
		return d.number64(i, &d.answer.Scanned)
	}
	return d.skip(i)
}

// eachValue calls f for every key of an object, at its value.
func (d *Decoder) eachValue(i int, f func(key []byte, i int) int) int {
	return d.each(i, '{', '}', func(i int) int {
		start, end, i, _ := d.text(i)
		if i < 0 {
			return -1
		}
		if i = d.want(i, ':'); i < 0 {
			return -1
		}
		return f(d.b[start:end], d.blanks(i))
	})
}

func (d *Decoder) unprocessed(_ []byte, i int) int {
	return d.eachValue(i, func(key []byte, i int) int {
		if string(key) != "Keys" {
			return d.skip(i)
		}
		return d.each(i, '[', ']', func(i int) int {
			key, i := d.attributes(i, 0)
			d.answer.Unprocessed = append(d.answer.Unprocessed, key)
			return i
		})
	})
}

// capacity adds up CapacityUnits: one object, or an array of one for each table.
func (d *Decoder) capacity(i int) int {
	if d.b[i] == '[' {
		return d.each(i, '[', ']', d.capacity)
	}
	return d.eachValue(i, func(key []byte, i int) int {
		end := d.skip(i)
		if end >= 0 && string(key) == "CapacityUnits" {
			units, err := strconv.ParseFloat(string(d.b[i:end]), 64)
			if err != nil {
				return -1
			}
			d.answer.Units += units
		}
		return end
	})
}

func (d *Decoder) number64(i int, to *int64) int {
	end := d.skip(i)
	if end < 0 {
		return -1
	}
	n, err := strconv.ParseInt(string(d.b[i:end]), 10, 64)
	if err != nil {
		return -1
	}
	*to = n
	return end
}

func (d *Decoder) items(i int) int { return d.each(i, '[', ']', d.item) }

// item adds a row for the item at i.
func (d *Decoder) item(i int) int {
	b := d.batch
	width := len(d.columns) + 1
	base := len(b.vals)
	if base+width > cap(b.vals) {
		grown := make([]Value, base, max(2*cap(b.vals), 8*width))
		copy(grown, b.vals)
		b.vals = grown
	}
	b.vals = b.vals[:base+width]
	row := b.vals[base : base+width]
	clear(row)
	b.rows++
	start := i
	if i = d.want(i, '{'); i < 0 {
		return -1
	}
	i = d.blanks(i)
	if d.b[i] == '}' {
		i++
	} else {
		i = d.pairs(i, row)
	}
	if i < 0 {
		return -1
	}
	row[width-1] = Value{at: uint64(start), size: uint32(i - start), Kind: schema.M}
	return i
}

// pairs reads the attributes of an item up to its closing brace.
func (d *Decoder) pairs(i int, row []Value) int {
	n := d.n
	for k := 0; ; k++ {
		if i = d.want(i, '"'); i < 0 {
			return -1
		}
		// The attribute seen last at this place is usually this one too.
		if k < len(d.guesses) {
			g := &d.guesses[k]
			if e := i + len(g.text); e <= n && string(d.b[i:e]) == g.text {
				if g.column >= 0 {
					i = d.typed(e, e-2, &row[g.column])
				} else {
					i = d.skipTyped(e, e-2)
				}
				goto next
			}
		}
		i = d.pair(i, k, row)
	next:
		if i < 0 {
			return -1
		}
		if d.b[i] <= ' ' {
			i = d.blanks(i)
		}
		switch d.b[i] {
		case ',':
			i = d.blanks(i + 1)
		case '}':
			return i + 1
		default:
			return -1
		}
	}
}

// pair reads the attribute whose name starts at i, and remembers its name for
// position k.
func (d *Decoder) pair(i, k int, row []Value) int {
	end, escaped := endOfText(d.b, i, d.n)
	if end < 0 {
		return -1
	}
	name := d.b[i:end]
	if escaped {
		var ok bool
		if d.name, ok = appendUnescaped(d.name[:0], name); !ok {
			return -1
		}
		name = d.name
	}
	g, ok := d.known[string(name)]
	if !ok {
		g = guess{text: string(name) + `":{"`, column: -1}
		if len(d.known) < maxKnown && !escaped {
			d.known[string(name)] = g
		}
	}
	if !escaped && k < maxGuesses {
		if k >= len(d.guesses) {
			d.guesses = append(d.guesses, g)
		} else {
			d.guesses[k] = g
		}
	}
	if i = d.want(end+1, ':'); i < 0 {
		return -1
	}
	i = d.blanks(i)
	if g.column < 0 {
		return d.skip(i)
	}
	return d.value(i, &row[g.column])
}

// skipTyped passes over a value whose `{"` ends at i and begins at start.
func (d *Decoder) skipTyped(i, start int) int {
	b := d.b
	if b[i+1] == '"' && b[i+2] == ':' && b[i+3] == '"' {
		end, _ := endOfText(b, i+4, d.n)
		if end < 0 {
			return -1
		}
		return d.want(end+1, '}')
	}
	return d.skip(start)
}

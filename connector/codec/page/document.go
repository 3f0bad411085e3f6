package page

import "github.com/dynasql/dynasql/connector/schema"

// Path finds the place inside a document that elems name: map keys (string) and
// list positions (int). It is Missing where there is none, or where a value of
// another kind is in the way. Nothing on the way is decoded; a text with
// escapes is written into the batch's memory, which may move: spans taken from
// the batch before are stale then.
func (b *Batch) Path(v Value, elems ...any) (Value, error) {
	for _, e := range elems {
		at, err := b.step(v, e)
		if err != nil || at < 0 {
			return Value{}, err
		}
		if v, err = b.valueAt(v, at); err != nil {
			return Value{}, err
		}
	}
	return v, nil
}

// step returns where the value of one element begins, or -1 if there is none.
func (b *Batch) step(v Value, elem any) (int, error) {
	at := -1
	c := b.cursorAt(v)
	end := 0
	switch e := elem.(type) {
	case string:
		if v.Kind != schema.M {
			return -1, nil
		}
		end = c.findKey(int(v.at), e, &at)
	case int:
		if v.Kind != schema.L {
			return -1, nil
		}
		end = c.findPosition(int(v.at), e, &at)
	default:
		return -1, nil
	}
	if end < 0 {
		return -1, ErrMalformed
	}
	return at, nil
}

func (c *cursor) findKey(i int, key string, at *int) int {
	var scratch []byte
	return c.each(i, '{', '}', func(i int) int {
		start, end, i, escaped := c.text(i)
		if i < 0 {
			return -1
		}
		name := c.b[start:end]
		if escaped {
			var ok bool
			if scratch, ok = appendUnescaped(scratch[:0], name); !ok {
				return -1
			}
			name = scratch
		}
		if i = c.want(i, ':'); i < 0 {
			return -1
		}
		i = c.blanks(i)
		if string(name) == key {
			*at = i
		}
		return c.skip(i)
	})
}

func (c *cursor) findPosition(i, position int, at *int) int {
	return c.each(i, '[', ']', func(i int) int {
		if position == 0 {
			*at = i
		}
		position--
		return c.skip(i)
	})
}

// valueAt decodes the attribute value at i, a place inside v.
func (b *Batch) valueAt(v Value, i int) (Value, error) {
	d := Decoder{cursor: b.cursorAt(v), batch: b}
	var found Value
	if d.value(i, &found) < 0 {
		return Value{}, ErrMalformed
	}
	return found, nil
}

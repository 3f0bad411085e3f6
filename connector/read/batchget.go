package read

import (
	"context"
	"io"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/dynasql/dynasql/connector/codec/page"
	"github.com/dynasql/dynasql/connector/schema"
	"github.com/dynasql/dynasql/internal/ddb"
)

// batchGet reads the items of at most a hundred keys. Keys without an item give
// no row.
type batchGet struct {
	job     *job
	reply   *reply
	keys    []ddb.Item // not read yet
	idle    int        // answers in a row that read nothing
	arrange *arrangement
}

func newBatchGet(j *job, keys []ddb.Item, ordered bool) *batchGet {
	b := &batchGet{job: j, reply: j.newReply(), keys: keys}
	if ordered {
		b.arrange = newArrangement(j, keys)
	}
	return b
}

func (*batchGet) close() {}

// maxIdle is how many answers in a row may leave all keys unprocessed: together
// with the back-off about a minute.
const maxIdle = 40

func (b *batchGet) next(ctx context.Context, into *page.Batch) (int64, error) {
	if b.arrange != nil {
		return b.inOrder(ctx, into)
	}
	if len(b.keys) == 0 {
		return 0, io.EOF
	}
	err := b.read(ctx, into)
	return int64(into.Rows()), err
}

// inOrder reads all keys and gives the rows in their order.
func (b *batchGet) inOrder(ctx context.Context, into *page.Batch) (int64, error) {
	if len(b.keys) == 0 {
		return 0, io.EOF
	}
	part := page.NewBatch(b.job.columns)
	for len(b.keys) > 0 {
		if err := b.read(ctx, part); err != nil {
			return 0, err
		}
		b.arrange.add(part)
	}
	b.arrange.into(into)
	return int64(into.Rows()), nil
}

// read sends the keys that are left once.
func (b *batchGet) read(ctx context.Context, into *page.Batch) error {
	if b.idle > 0 { // keys left unprocessed are a throttled answer
		b.job.st.throttled()
		b.job.pace.throttled(b.job.st.limits)
		if err := sleep(ctx, ddb.Delay(b.idle, b.job.r.opts.Jitter())); err != nil {
			return err
		}
	}
	left, err := b.job.getBatch(ctx, b.keys, b.reply, into)
	if err != nil {
		return err
	}
	switch {
	case len(left) == 0:
		b.idle = 0
	case len(left) < len(b.keys):
		b.idle = 1
	default:
		b.idle++
	}
	if b.idle > maxIdle {
		return &UnreadError{Table: b.job.p.Table.Name, Keys: len(left), Attempts: maxIdle}
	}
	b.keys = left
	return nil
}

// arrangement puts rows into the order of their keys.
type arrangement struct {
	key      schema.Key
	position map[string]int // of a key, by its bytes
	rows     *page.Batch
	row      []int // in rows, by position; -1 for no item
	name     []byte
}

func newArrangement(j *job, keys []ddb.Item) *arrangement {
	a := &arrangement{key: j.p.Table.Key, position: make(map[string]int, len(keys)), rows: page.NewBatch(j.columns), row: make([]int, len(keys))}
	for i, k := range keys {
		a.name = a.name[:0]
		for _, attr := range a.key.Attrs() {
			a.name = appendKey(a.name, k[attr.Name])
		}
		a.position[string(a.name)] = i
		a.row[i] = -1
	}
	return a
}

func (a *arrangement) add(part *page.Batch) {
	var columns []int
	for _, attr := range a.key.Attrs() {
		columns = append(columns, part.Column(attr.Name))
	}
	for row := range part.Rows() {
		a.name = a.name[:0]
		for _, c := range columns {
			a.name = part.AppendKey(a.name, part.Value(row, c))
		}
		if i, ok := a.position[string(a.name)]; ok {
			a.row[i] = a.rows.Rows()
			a.rows.AppendRow(part, row)
		}
	}
}

func (a *arrangement) into(out *page.Batch) {
	out.Clear()
	for _, row := range a.row {
		if row >= 0 {
			out.AppendRow(a.rows, row)
		}
	}
}

// appendKey writes a key value as page.Batch.AppendKey does.
func appendKey(dst []byte, v types.AttributeValue) []byte {
	switch v := v.(type) {
	case *types.AttributeValueMemberS:
		return page.AppendKeyText(dst, schema.S, v.Value)
	case *types.AttributeValueMemberN:
		return page.AppendKeyText(dst, schema.N, v.Value)
	case *types.AttributeValueMemberB:
		return page.AppendKeyText(dst, schema.B, string(v.Value))
	}
	return dst
}

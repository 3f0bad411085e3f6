package read

import (
	"context"
	"io"
	"sync"

	"github.com/dynasql/dynasql/connector/codec/page"
	"github.com/dynasql/dynasql/internal/ddb"
)

// pager reads the pages of one Query, or of one segment of a Scan, in order.
type pager struct {
	job    *job
	reply  *reply
	action string
	call   caller
	from   ddb.Item // ExclusiveStartKey of the next page
	behind ddb.Item // the key of an item behind which from passes over others
	done   bool
	size   int64 // Limit of the next page; 0 is none
	want   int64 // rows after which nobody reads on; 0 is any number
	got    int64
	most   int64         // Limit of any page; 0 is none
	walk   bool          // see access.Plan
	slots  chan struct{} // requests in flight of many pagers, or nil
	ahead  bool          // while an answer is decoded its slot is another's
}

func (j *job) newPager(action string, call caller) *pager {
	p := &pager{job: j, reply: j.newReply(), action: action, call: call, size: int64(j.p.PageLimit), walk: j.p.Walk}
	if !j.p.Complete { // a completed item may be missing, and more rows be needed
		p.want = j.p.Limit
	}
	return p
}

func (p *pager) close() {}

func (p *pager) next(ctx context.Context, into *page.Batch) (int64, error) {
	if p.done || p.want > 0 && p.got >= p.want {
		return 0, io.EOF
	}
	limit := p.limit()
	q := request{action: p.action, units: p.job.pageUnits(limit),
		send: func(ctx context.Context, opts ...func(*ddb.Options)) ([]ddb.Item, page.Answer, error) {
			return p.call(ctx, p.from, limit, opts...)
		}}
	if p.slots != nil {
		select {
		case p.slots <- struct{}{}:
		case <-ctx.Done():
			return 0, context.Cause(ctx)
		}
		leave := sync.OnceFunc(func() { <-p.slots })
		defer leave()
		if p.ahead {
			q.came = leave
		}
	}
	a, err := p.job.fetch(ctx, q, p.reply, into)
	if err != nil {
		if p.behind != nil && ddb.Classify(err) == ddb.Invalid {
			p.readOn()
			return 0, nil
		}
		return 0, err
	}
	p.from, p.done = a.LastKey, a.LastKey == nil
	if p.walk && !p.done {
		p.from, p.behind = p.job.behindHash(a.LastKey), a.LastKey
	} else {
		p.grow()
	}
	count := int64(into.Rows())
	if p.job.p.Count {
		into.Clear()
		count = a.Count
	}
	p.got += count
	return count, nil
}

// readOn goes on without passing over items: DynamoDB has not taken a start key
// that no item has, as where the items of a hash key lie in several segments.
func (p *pager) readOn() {
	p.from, p.behind, p.walk, p.size = p.behind, nil, false, 0
}

// limit is the page's Limit: what the plan wants, less where the rate, the rows
// still wanted or the budget ask for less.
func (p *pager) limit() int64 {
	limit := p.size
	if p.want > 0 && p.job.p.Filter == nil {
		limit = least(limit, p.want-p.got)
	}
	limit = least(limit, p.most)
	limit = least(limit, p.job.pacedLimit())
	return least(limit, p.job.st.rowsLeft())
}

// largestLimit is about where a Limit stops to matter: 1 MB of small items.
const largestLimit = 8192

// grow doubles the page: the first was not enough.
func (p *pager) grow() {
	if p.size *= 2; p.size > largestLimit {
		p.size = 0
	}
}

// least is the smaller of two limits, of which 0 is none.
func least(a, b int64) int64 {
	if a == 0 || b > 0 && b < a {
		return b
	}
	return a
}

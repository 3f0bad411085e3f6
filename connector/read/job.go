package read

import (
	"context"
	"errors"
	"math"
	"sync/atomic"
	"time"

	"github.com/dynasql/dynasql/connector/access"
	"github.com/dynasql/dynasql/connector/codec/page"
	"github.com/dynasql/dynasql/connector/schema"
	"github.com/dynasql/dynasql/internal/ddb"
)

// job is one run of a plan: what its sources share. It is safe for concurrent
// use.
type job struct {
	r       *Reader
	st      *Statement
	p       access.Plan
	kind    int // of the plan, in the account
	columns []string
	pace    *pacer

	whole  *job    // of which this is a half, or nil
	chosen *chosen // segments of a sample, or nil

	took    atomic.Uint64 // read units, as float64 bits
	scanned atomic.Int64  // items read
}

func newJob(r *Reader, p access.Plan, st *Statement) *job {
	j := &job{r: r, st: st, p: p, columns: columns(&p), pace: r.pacers.get(p.Table.Name, p.Index)}
	j.pace.learn(provisioned(p.Table, p.Index))
	return j
}

// split makes the two jobs of a Complete plan: reading an index for keys, and
// the items of those keys from the table.
func (j *job) split() (index, table *job) {
	p := j.p
	p.Project = p.IndexProject()
	index = newJob(j.r, p, j.st)
	p = j.p
	p.Op, p.Index, p.Filter, p.Keys = access.BatchGetItem, "", nil, nil
	table = newJob(j.r, p, j.st)
	index.whole, table.whole = j, j
	index.kind, table.kind = j.kind, j.kind
	return index, table
}

// columns are the attributes that rows need a column for.
func columns(p *access.Plan) []string {
	var names []string
	seen := map[string]bool{"": true}
	add := func(name string) {
		if !seen[name] {
			seen[name] = true
			names = append(names, name)
		}
	}
	for _, path := range p.Project {
		add(path.Attribute)
	}
	if p.Project == nil && !p.Count {
		for _, a := range p.Table.Key.Attrs() {
			add(a.Name)
		}
		for _, c := range p.Table.Columns {
			add(c.Attribute)
		}
	}
	return names
}

func (j *job) action() string { return j.p.Op.String() }

func (j *job) units() float64 { return math.Float64frombits(j.took.Load()) }

// receive enters an answer in the accounts.
func (j *job) receive(a page.Answer, bytes int64) {
	j.st.received(j.kind, a.Scanned, bytes, a.Units)
	j.scanned.Add(a.Scanned)
	j.take(a.Units)
	if j.whole != nil {
		j.whole.take(a.Units)
	}
}

func (j *job) take(units float64) {
	for {
		old := j.took.Load()
		sum := math.Float64bits(math.Float64frombits(old) + units)
		if j.took.CompareAndSwap(old, sum) {
			return
		}
	}
}

// request is one call and what it is expected to take.
type request struct {
	action string
	units  float64 // estimate
	came   func()  // called when the answer has come, before it is decoded; or nil
	// send makes the call; the items are those of a client that decodes itself.
	send func(ctx context.Context, opts ...func(*ddb.Options)) ([]ddb.Item, page.Answer, error)
}

// When a throttled call is given up: after so many attempts, and when no request
// on the table has succeeded for so long.
const (
	leastThrottled = 10
	maxThrottled   = 200
	maxSilence     = time.Minute
)

// reply is a place for answers. It belongs to one goroutine.
type reply struct {
	decoder *page.Decoder
	body    ddb.Body
}

func (j *job) newReply() *reply { return &reply{decoder: page.NewDecoder(j.columns)} }

// fetch makes a call within budget and pace, again as long as that can help,
// and decodes the answer into the batch.
func (j *job) fetch(ctx context.Context, q request, rep *reply, into *page.Batch) (page.Answer, error) {
	rep.body.Reset(into.Buffer())
	started := time.Now()
	for attempt := 1; ; attempt++ {
		answer, err := j.attempt(ctx, q, rep, into, attempt)
		if err == nil {
			rep.body.Reset(nil)
			j.receive(answer, int64(into.Bytes()))
			return answer, nil
		}
		if err = j.again(ctx, q, err, attempt, started); err != nil {
			return page.Answer{}, err
		}
	}
}

// attempt makes the call once.
func (j *job) attempt(ctx context.Context, q request, rep *reply, into *page.Batch, attempt int) (page.Answer, error) {
	limits := j.st.limits
	j.redescribe(ctx)
	reserved, err := j.pace.wait(ctx, q.units, limits)
	if err != nil {
		return page.Answer{}, &final{err}
	}
	if err = j.st.admit(j.p.Table.Name); err != nil {
		j.pace.settle(reserved, 0, limits)
		return page.Answer{}, &final{err}
	}
	j.st.sent(j.kind, q.action, attempt > 1)
	answer, err := j.send(ctx, q, rep, into)
	if ddb.Classify(err) == ddb.Throttled {
		j.pace.keep(reserved, limits)
	} else {
		j.pace.settle(reserved, answer.Units, limits)
	}
	return answer, err
}

// send makes the call within the page's time and decodes the answer.
func (j *job) send(ctx context.Context, q request, rep *reply, into *page.Batch) (page.Answer, error) {
	timed, cancel := context.WithTimeout(ctx, j.r.opts.PageTimeout)
	defer cancel()
	items, answer, err := q.send(timed, rep.body.Keep, ddb.Once)
	switch {
	case err != nil && ctx.Err() == nil && timed.Err() != nil:
		return page.Answer{}, &slow{err}
	case err != nil:
		return page.Answer{}, err
	}
	if q.came != nil {
		q.came()
	}
	if rep.body.Kept() {
		answer, err = rep.decoder.Decode(rep.body.Bytes(), into)
	} else {
		err = rep.decoder.Items(items, into)
	}
	if err != nil {
		return answer, &final{j.malformed(q.action)}
	}
	if answer.Scanned == 0 {
		answer.Scanned = int64(into.Rows()) // GetItem and BatchGetItem do not say
	}
	return answer, nil
}

// again waits before the call is sent once more, or returns why it is not.
func (j *job) again(ctx context.Context, q request, err error, attempt int, started time.Time) error {
	var last *final
	var late *slow
	throttled := ddb.Classify(err) == ddb.Throttled
	switch {
	case errors.As(err, &last):
		return last.error
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case throttled:
		j.st.throttled()
		j.pace.throttled(j.st.limits)
	case !errors.As(err, &late) && !ddb.Retryable(err):
		return j.explain(q.action, err)
	}
	if !throttled && attempt >= ddb.MaxAttempts || throttled && j.hopeless(attempt, started) {
		return j.explain(q.action, err)
	}
	return sleep(ctx, ddb.Delay(attempt, j.r.opts.Jitter()))
}

func (j *job) hopeless(attempt int, started time.Time) bool {
	return attempt >= maxThrottled || attempt >= leastThrottled && j.pace.silent(started) > maxSilence
}

// final is an error that must not be explained or tried again.
type final struct{ error }

// slow is a call that the page's time limit ended.
type slow struct{ error }

func (s *slow) Error() string { return "no whole answer in time" }

// redescribe looks the provisioned rate up again when it may have changed.
func (j *job) redescribe(ctx context.Context) {
	if !j.pace.stale() {
		return
	}
	j.st.sent(j.kind, "DescribeTable", false)
	out, err := j.r.client.DescribeTable(ctx, &ddb.DescribeTableInput{TableName: &j.p.Table.Name})
	if err != nil || out.Table == nil {
		return // the rate known so far goes on
	}
	j.pace.redescribed(describedRate(out, j.p.Index))
}

func provisioned(t *schema.Table, index string) int64 {
	if x, ok := t.Index(index); ok && x.Global {
		return x.ReadUnits
	}
	return t.ReadUnits
}

func describedRate(out *ddb.DescribeTableOutput, index string) int64 {
	for _, g := range out.Table.GlobalSecondaryIndexes {
		if g.IndexName != nil && *g.IndexName == index {
			if g.ProvisionedThroughput != nil && g.ProvisionedThroughput.ReadCapacityUnits != nil {
				return *g.ProvisionedThroughput.ReadCapacityUnits
			}
			return 0
		}
	}
	if p := out.Table.ProvisionedThroughput; p != nil && p.ReadCapacityUnits != nil {
		return *p.ReadCapacityUnits
	}
	return 0
}

// unitBytes is what one read unit pays for.
func (j *job) unitBytes() float64 {
	if j.p.Consistent {
		return 4096
	}
	return 8192
}

// itemUnits estimates the read units of one item among many.
func (j *job) itemUnits() float64 {
	if n := j.scanned.Load(); n > 0 && j.units() > 0 {
		return j.units() / float64(n)
	}
	if size := j.p.Table.AverageItem(); size > 0 {
		return float64(size) / j.unitBytes()
	}
	return 400 * 1024 / j.unitBytes() // the largest item there can be
}

// pageUnits is what a page of the limit takes; 0 is a page of 1 MB.
func (j *job) pageUnits(limit int64) float64 {
	most := float64(1<<20) / j.unitBytes()
	if limit == 0 {
		return most
	}
	return max(0.5, min(most, float64(limit)*j.itemUnits()))
}

// pacedLimit is the number of items that a page may have without overshooting
// the rate; 0 is any number.
func (j *job) pacedLimit() int64 {
	rate := j.pace.rate(j.st.limits)
	if rate == 0 || rate*pageShare >= float64(1<<20)/j.unitBytes() {
		return 0
	}
	return max(1, int64(rate*pageShare/j.itemUnits()))
}

// queryWorkers is how many Query requests of one plan run at a time: each is
// held to one partition's rate, and most are small.
const queryWorkers = 16

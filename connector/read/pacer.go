package read

import (
	"context"
	"math"
	"sync"
	"time"
)

// pacers has one pacer for each table and index of a connection.
type pacers struct {
	mu sync.Mutex
	of map[[2]string]*pacer // by table and index; guarded by mu
}

func (p *pacers) get(table, index string) *pacer {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.of == nil {
		p.of = map[[2]string]*pacer{}
	}
	key := [2]string{table, index}
	if p.of[key] == nil {
		p.of[key] = &pacer{}
	}
	return p.of[key]
}

// pacer spreads the read units of one table or index over time, for all
// statements together. It is safe for concurrent use.
type pacer struct {
	mu          sync.Mutex
	free        time.Time // until then all read units are spoken for; guarded by mu, like the rest
	ceiling     float64   // read units a second that throttling has taught; 0 is none
	raised      time.Time // when ceiling was last raised, or something throttled
	lowered     time.Time // when ceiling was last lowered
	window      time.Time // start of the second that spent is counted in
	spent       float64
	pace        float64 // read units of the last full second
	provisioned int64   // as last described
	described   time.Time
	served      time.Time // when a request last succeeded
}

const (
	// pageShare is the part of a second's read units that one page may take.
	pageShare = 0.5
	// backOff is what a throttled answer leaves of the pace; recovery is what a
	// quiet second adds to it.
	backOff  = 0.7
	recovery = 1.1
	// leastRate is the lowest ceiling, in read units a second, unless the rate
	// itself is low.
	leastRate = 25
	// describeEvery is how often the provisioned rate is looked up again, since
	// auto scaling changes it.
	describeEvery = time.Minute
)

// rate is the read units a second for a statement with these limits; 0 is any.
func (p *pacer) rate(l Limits) float64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.rateLocked(l, time.Now())
}

func (p *pacer) rateLocked(l Limits, now time.Time) float64 {
	p.recoverLocked(now)
	return lower(p.configuredLocked(l), p.ceiling)
}

// configuredLocked is the rate without what throttling has taught; 0 is any.
func (p *pacer) configuredLocked(l Limits) float64 {
	return lower(float64(p.provisioned)*l.RatePercent/100, l.ReadUnitsPerSecond)
}

// lower is the lower of two rates, of which 0 is any.
func lower(a, b float64) float64 {
	if a == 0 || b > 0 && b < a {
		return b
	}
	return a
}

// recoverLocked raises the ceiling for each second without throttling.
func (p *pacer) recoverLocked(now time.Time) {
	if p.ceiling == 0 {
		return
	}
	quiet := math.Floor(now.Sub(p.raised).Seconds())
	if quiet < 1 {
		return
	}
	p.raised = p.raised.Add(time.Duration(quiet) * time.Second)
	p.ceiling *= math.Pow(recovery, quiet)
	if p.ceiling > 100_000 { // above any table's default quota of 40,000
		p.ceiling = 0
	}
}

// wait reserves read units and waits until they are due. It returns how many it
// reserved: none where there is no rate. The caller settles the reservation when
// the answer says what it took.
func (p *pacer) wait(ctx context.Context, units float64, l Limits) (reserved float64, err error) {
	due := p.reserve(&units, l)
	if err = sleep(ctx, due); err != nil {
		p.settle(units, 0, l)
	}
	return units, err
}

func (p *pacer) reserve(units *float64, l Limits) time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	rate := p.rateLocked(l, now)
	if rate == 0 {
		*units = 0
		return 0
	}
	if p.free.Before(now) {
		p.free = now
	}
	due := p.free.Sub(now)
	p.free = p.free.Add(seconds(*units / rate))
	return due
}

// settle replaces a reservation by the read units taken.
func (p *pacer) settle(reserved, took float64, l Limits) {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	if rate := p.rateLocked(l, now); rate > 0 {
		p.free = p.free.Add(seconds((took - reserved) / rate))
	}
	if took > 0 {
		p.served = now
	}
	p.countLocked(took, now)
}

// keep settles the reservation of a throttled call, which took nothing: it keeps
// its turn, but no more than a second's read units of it.
func (p *pacer) keep(reserved float64, l Limits) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if rate := p.rateLocked(l, time.Now()); rate > 0 && reserved > rate {
		p.free = p.free.Add(seconds((rate - reserved) / rate))
	}
}

func (p *pacer) countLocked(took float64, now time.Time) {
	if d := now.Sub(p.window); d >= time.Second {
		p.pace = p.spent / max(1, d.Seconds())
		p.window, p.spent = now, 0
	}
	p.spent += took
}

// throttled lowers the ceiling below the pace of now, at most once a second:
// parallel requests are throttled together. It keeps to a least rate, below
// which waiting before the call is repeated does the rest.
func (p *pacer) throttled(l Limits) {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	p.recoverLocked(now)
	p.raised = now
	if p.ceiling > 0 && now.Sub(p.lowered) < time.Second {
		return
	}
	least := float64(leastRate)
	if rate := p.configuredLocked(l); rate > 0 {
		least = min(least, rate/8)
	}
	pace := max(p.pace, p.spent)
	if p.ceiling > 0 {
		pace = min(p.ceiling, max(pace, p.ceiling/2))
	}
	p.ceiling = max(least, backOff*pace)
	p.lowered = now
}

// quiet reports whether nothing has been throttled for a while, so that more
// parallel requests are worth trying.
func (p *pacer) quiet() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.ceiling == 0
}

// learn enters the provisioned rate that the catalog knows, unless a newer one
// is known.
func (p *pacer) learn(provisioned int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.described.IsZero() {
		p.provisioned, p.described = provisioned, time.Now()
	}
}

// stale reports whether it is time to look the provisioned rate up again. Only
// one caller is told so.
func (p *pacer) stale() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	if p.provisioned == 0 || now.Sub(p.described) < describeEvery {
		return false
	}
	p.described = now
	return true
}

// silent is how long no request has been served, though one has been tried
// since then.
func (p *pacer) silent(since time.Time) time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.served.After(since) {
		since = p.served
	}
	return time.Since(since)
}

func (p *pacer) redescribed(provisioned int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.provisioned = provisioned
}

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }

// sleep waits, or returns the context's cause.
func sleep(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return context.Cause(ctx)
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

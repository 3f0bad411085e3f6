package read

import (
	"context"
	"math/rand/v2"
	"time"

	"github.com/dynasql/dynasql/connector/access"
	"github.com/dynasql/dynasql/internal/ddb"
)

// Options are the settings of a Reader. The zero value is good.
type Options struct {
	Requests    int            // in flight of one stream at most; 0 is 32
	PageTimeout time.Duration  // for one request; 0 is a minute
	Jitter      func() float64 // in [0, 1), for back-off; nil is random
	Recording   *Recording     // answers plans that it knows; nil is none
}

func (o Options) withDefaults() Options {
	if o.Requests <= 0 {
		o.Requests = 32
	}
	if o.PageTimeout <= 0 {
		o.PageTimeout = time.Minute
	}
	if o.Jitter == nil {
		o.Jitter = rand.Float64
	}
	return o
}

// Reader runs plans on the tables of one connection. It is safe for concurrent
// use; there should be one for each connection in a process, since the pacers
// belong to it.
type Reader struct {
	client ddb.Reader
	opts   Options
	pacers pacers
}

// New makes a reader of the client's tables.
func New(client ddb.Reader, opts Options) *Reader {
	return &Reader{client: client, opts: opts.withDefaults()}
}

// Open prepares to run the plan on account of the statement. It sends nothing:
// the first request leaves with the first Next. A *RefusedError says that the
// plan is estimated above what is left of the statement's budget.
//
// The context ends the stream's requests at any time, up to Close.
func (r *Reader) Open(ctx context.Context, p access.Plan, st *Statement) (*Stream, error) {
	if err := st.Admit(p); err != nil {
		return nil, err
	}
	return &Stream{ctx: ctx, job: newJob(r, p, st)}, nil
}

package mysqld_test

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/dynasql/dynasql/internal/ddb"
)

// endless is a store whose table customers never ends once it is armed: each
// Scan gives a further page, and after some pages waits until it is cancelled.
type endless struct {
	ddb.Client
	pages   int64 // then Scan waits; negative: never
	perPage int
	padding int // bytes more in each item

	armed   atomic.Bool
	scans   atomic.Int64
	waiting chan struct{} // closed when a Scan waits
	stopped chan struct{} // closed when a waiting Scan was cancelled
	wait    sync.Once
	stop    sync.Once
}

func newEndless(t testing.TB, pages int64) *endless {
	return &endless{Client: tables(t, "shop"), pages: pages, perPage: 100, waiting: make(chan struct{}), stopped: make(chan struct{})}
}

func (s *endless) Scan(ctx context.Context, in *ddb.ScanInput, o ...func(*ddb.Options)) (*ddb.ScanOutput, error) {
	if !s.armed.Load() {
		return s.Client.Scan(ctx, in, o...)
	}
	n := s.scans.Add(1)
	if s.pages >= 0 && n > s.pages {
		s.wait.Do(func() { close(s.waiting) })
		<-ctx.Done()
		s.stop.Do(func() { close(s.stopped) })
		return nil, ctx.Err()
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	out := &ddb.ScanOutput{Count: int32(s.perPage), ScannedCount: int32(s.perPage)}
	for i := range s.perPage {
		out.Items = append(out.Items, s.item(int(n)*s.perPage+i))
	}
	out.LastEvaluatedKey = ddb.Item{"id": out.Items[s.perPage-1]["id"]}
	units := 0.5
	out.ConsumedCapacity = &types.ConsumedCapacity{TableName: in.TableName, CapacityUnits: &units}
	return out, nil
}

func (s *endless) item(n int) ddb.Item {
	return ddb.Item{
		"id":     &types.AttributeValueMemberS{Value: "c" + strconv.Itoa(n)},
		"name":   &types.AttributeValueMemberS{Value: fmt.Sprint("name ", n, strings.Repeat("x", s.padding))},
		"vip":    &types.AttributeValueMemberBOOL{Value: n%2 == 0},
		"credit": &types.AttributeValueMemberN{Value: strconv.Itoa(n)},
	}
}

// within waits for a channel to be closed.
func within(t testing.TB, d time.Duration, c <-chan struct{}, what string) {
	t.Helper()
	select {
	case <-c:
	case <-time.After(d):
		t.Fatalf("%s: not within %s", what, d)
	}
}

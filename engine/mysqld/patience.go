package mysqld

import (
	"net"
	"sync/atomic"
	"time"
)

// A patientConn bounds how long each write waits for a client that takes
// nothing.
type patientConn struct {
	net.Conn
	patience atomic.Int64 // nanoseconds; 0 leaves deadlines alone
}

// Write implements net.Conn.
func (c *patientConn) Write(p []byte) (int, error) {
	if d := c.patience.Load(); d > 0 {
		if err := c.SetWriteDeadline(time.Now().Add(time.Duration(d))); err != nil {
			return 0, err
		}
	}
	return c.Conn.Write(p)
}

package mysqld

import (
	"bytes"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha1"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/dynasql/dynasql/engine"
	"github.com/dynasql/dynasql/engine/mysqld/wire"
)

// authenticate finds out who a client is. salt is the challenge of the greeting,
// nil if the client has not been challenged. A refusal is to be told after the
// delay, which is the longer the more of them the client's host has had.
func (c *conn) authenticate(l wire.Login, salt []byte) (user *User, delay time.Duration, err error) {
	if c.server.opts.Users == nil {
		return nil, 0, c.welcome(l)
	}
	user = c.server.opts.Users.find(l.User)
	ok, password, err := c.prove(user, l, salt)
	if err != nil {
		return nil, 0, err
	}
	if !ok || user == nil {
		return nil, c.server.logins.failed(c.host, time.Now()), denied(l.User, c.host, password)
	}
	c.server.logins.succeeded(c.host)
	if user.RequireTLS && !c.secure {
		return nil, 0, &engine.Error{Number: 3159, State: "HY000", Offset: -1,
			Message: "User '" + l.User + "' may connect over TLS only", Advice: "turn TLS on in the client"}
	}
	return user, 0, nil
}

// welcome lets anybody in.
func (c *conn) welcome(l wire.Login) error {
	if l.Method == wire.CachingSHA2 && len(l.Response) > 1 {
		return c.wire.Write(wire.MoreData([]byte{fastAuthSuccess}))
	}
	return nil
}

func denied(user, host string, password bool) error {
	using := "NO"
	if password {
		using = "YES"
	}
	return &engine.Error{Number: 1045, State: "28000", Offset: -1,
		Message: fmt.Sprintf("Access denied for user '%s'@'%s' (using password: %s)", user, host, using)}
}

// prove has the client prove that it knows the password. A user who does not
// exist is asked like one who does.
func (c *conn) prove(user *User, l wire.Login, salt []byte) (ok, password bool, err error) {
	method := wire.CachingSHA2
	if user != nil && user.hash.native != nil {
		method = wire.NativePassword
	}
	response := l.Response
	if salt == nil || l.Method != method {
		salt = wire.NewSalt()
		if response, err = c.ask(wire.SwitchMethod(method, salt)); err != nil {
			return false, false, err
		}
	}
	if len(response) == 0 || len(response) == 1 && response[0] == 0 {
		return false, false, nil
	}
	if method == wire.NativePassword {
		return wire.CheckNative(user.hash.native, salt, response), true, nil
	}
	ok, err = c.proveSHA2(user, l.User, salt, response)
	return ok, true, err
}

// ask sends a message of the authentication and waits for the answer.
func (c *conn) ask(payload []byte) ([]byte, error) {
	if err := errors.Join(c.wire.Write(payload), c.wire.Flush()); err != nil {
		return nil, io.EOF
	}
	m, err := c.receive()
	c.wire.Answer(m)
	return m.Payload, err
}

// What caching_sha2_password says beside the challenge.
const (
	requestKey      = 2
	fastAuthSuccess = 3
	fullAuth        = 4
)

// proveSHA2 compares with what is cached of the password; if nothing is, or it
// is wrong, the client has to send the password itself: in clear over a secure
// connection, else encrypted for us.
func (c *conn) proveSHA2(user *User, name string, salt, response []byte) (bool, error) {
	users := c.server.opts.Users
	if cached := users.cache(name); cached != nil && wire.CheckSHA2(cached, salt, response) {
		return true, c.wire.Write(wire.MoreData([]byte{fastAuthSuccess}))
	}
	sent, err := c.ask(wire.MoreData([]byte{fullAuth}))
	if err != nil {
		return false, err
	}
	if !c.secure {
		if sent, err = c.decrypt(sent, salt); err != nil {
			return false, err
		}
	}
	password := string(bytes.TrimSuffix(sent, []byte{0}))
	if user == nil {
		nobody.right(password) // takes as long as somebody
		return false, nil
	}
	if !c.server.logins.check(user.hash, password) {
		return false, nil
	}
	users.remember(user, password)
	return true, nil
}

var nobody = passwordHash{iterations: iterations, salt: make([]byte, 16), key: make([]byte, 32)}

// decrypt reads a password that was encrypted with the server's key, which the
// client may ask for first.
func (c *conn) decrypt(sent, salt []byte) ([]byte, error) {
	key, err := c.server.logins.key()
	if err != nil {
		return nil, err
	}
	if len(sent) == 1 && sent[0] == requestKey {
		der, err := x509.MarshalPKIXPublicKey(&key.PublicKey)
		if err != nil {
			return nil, err
		}
		public := pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der})
		if sent, err = c.ask(wire.MoreData(public)); err != nil {
			return nil, err
		}
	}
	masked, err := rsa.DecryptOAEP(sha1.New(), rand.Reader, key, sent, nil)
	if err != nil {
		return nil, nil // a wrong password, as far as anybody is told
	}
	return wire.Unmask(masked, salt), nil
}

// logins is what a server remembers of attempts to log in.
type logins struct {
	hashing chan struct{} // bounds how many passwords are hashed at once
	once    sync.Once
	private *rsa.PrivateKey
	keyErr  error

	mu       sync.Mutex // guards failures
	failures map[string]failures
}

type failures struct {
	count int
	last  time.Time
}

func newLogins() *logins {
	return &logins{hashing: make(chan struct{}, 2), failures: map[string]failures{}}
}

// Bounds of what is remembered.
const (
	forgetAfter   = 10 * time.Minute
	rememberHosts = 10_000
)

// failed counts a refusal and says how long to wait before telling: a quarter
// of a second after the third, doubled with each further, to four seconds.
func (l *logins) failed(host string, now time.Time) time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	f := l.failures[host]
	if now.Sub(f.last) > forgetAfter {
		f.count = 0
	}
	f.count, f.last = f.count+1, now
	if len(l.failures) >= rememberHosts {
		clear(l.failures)
	}
	l.failures[host] = f
	if f.count < 3 {
		return 0
	}
	return min(250*time.Millisecond<<min(f.count-3, 10), 4*time.Second)
}

func (l *logins) succeeded(host string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.failures, host)
}

func (l *logins) check(h passwordHash, password string) bool {
	l.hashing <- struct{}{}
	defer func() { <-l.hashing }()
	return h.right(password)
}

// key is made when it is first needed, for this run of the server.
func (l *logins) key() (*rsa.PrivateKey, error) {
	l.once.Do(func() { l.private, l.keyErr = rsa.GenerateKey(rand.Reader, 2048) })
	return l.private, l.keyErr
}

package mysqld

import (
	"crypto/pbkdf2"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"sync"

	"go.yaml.in/yaml/v3"

	"github.com/dynasql/dynasql/engine"
	"github.com/dynasql/dynasql/engine/mysqld/wire"
	"github.com/dynasql/dynasql/internal/yamlerr"
)

// A User is one who may connect. All users only read.
type User struct {
	Name string
	// Tables are what the user may read, as database.table; database.* is all
	// tables of one. None means everything.
	Tables []string
	// MaxReadUnits is the most that ddb_max_rcu can be set to; 0 means no bound
	// of the user's own.
	MaxReadUnits float64
	// RequireTLS refuses the user over plaintext.
	RequireTLS bool

	hash passwordHash
}

// Users are those who may connect to a server. They may be exchanged while it
// runs, and are safe for concurrent use.
type Users struct {
	mu     sync.Mutex // guards the fields below
	users  map[string]*User
	cached map[string][]byte // wire.SHA2Hash by user, from passwords that were right
	onSet  []func([]*User)
}

// userFile is the form of a file of users.
type userFile struct {
	Users map[string]struct {
		Password     string   `yaml:"password"`
		Tables       []string `yaml:"tables"`
		MaxReadUnits float64  `yaml:"max_rcu"`
		RequireTLS   bool     `yaml:"require_tls"`
	} `yaml:"users"`
}

// ReadUsers reads a file of users:
//
//	users:
//	  grafana:
//	    password: pbkdf2-sha256$600000$...   # from HashPassword
//	    tables: [dynamodb.orders, reports.*]
//	    max_rcu: 5000
//	    require_tls: true
//
// A hash of the form *3C0F... is the one of MySQL's mysql_native_password, for
// clients that know no other. The error names all that is wrong in the file.
func ReadUsers(r io.Reader) (*Users, error) {
	users, err := readUsers(r)
	if err != nil {
		return nil, err
	}
	u := &Users{}
	u.set(users)
	return u, nil
}

// Reload exchanges the users for those of a file; if that is wrong, nothing
// changes. Who is connected stays connected.
func (u *Users) Reload(r io.Reader) error {
	users, err := readUsers(r)
	if err != nil {
		return err
	}
	u.set(users)
	return nil
}

// OneUser is a single user who may read everything.
func OneUser(name, password string) (*Users, error) {
	if password == "" {
		return nil, fmt.Errorf("user '%s' has no password", name)
	}
	hash, err := parseHash(HashPassword(password))
	if err != nil {
		return nil, err
	}
	u := &Users{}
	u.set([]*User{{Name: name, hash: hash}})
	u.cached[name] = wire.SHA2Hash(password)
	return u, nil
}

func readUsers(r io.Reader) ([]*User, error) {
	d := yaml.NewDecoder(r)
	d.KnownFields(true)
	var f userFile
	if err := d.Decode(&f); err != nil && err != io.EOF {
		return nil, yamlerr.Plain(err)
	}
	var users []*User
	var problems []error
	for name, in := range f.Users {
		hash, err := parseHash(in.Password)
		if err != nil {
			problems = append(problems, fmt.Errorf("user '%s': %w", name, err))
		}
		for _, t := range in.Tables {
			if db, table, ok := strings.Cut(t, "."); !ok || db == "" || table == "" {
				problems = append(problems, fmt.Errorf("user '%s': table '%s' is not of the form database.table", name, t))
			}
		}
		if in.MaxReadUnits < 0 {
			problems = append(problems, fmt.Errorf("user '%s': max_rcu is negative", name))
		}
		users = append(users, &User{Name: name, Tables: in.Tables, MaxReadUnits: in.MaxReadUnits, RequireTLS: in.RequireTLS, hash: hash})
	}
	if len(users) == 0 {
		problems = append(problems, errors.New("there is no user"))
	}
	slices.SortFunc(users, func(a, b *User) int { return strings.Compare(a.Name, b.Name) })
	return users, errors.Join(problems...)
}

func (u *Users) set(users []*User) {
	u.mu.Lock()
	defer u.mu.Unlock()
	before := u.users
	kept := map[string][]byte{}
	u.users = map[string]*User{}
	for _, user := range users {
		u.users[user.Name] = user
		if old := before[user.Name]; old != nil && old.hash.equal(user.hash) && u.cached[user.Name] != nil {
			kept[user.Name] = u.cached[user.Name]
		}
	}
	u.cached = kept
	for _, f := range u.onSet {
		f(users)
	}
}

// watch calls f with the users, now and whenever they change.
func (u *Users) watch(f func([]*User)) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.onSet = append(u.onSet, f)
	all := make([]*User, 0, len(u.users))
	for _, user := range u.users {
		all = append(all, user)
	}
	f(all)
}

func (u *Users) find(name string) *User {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.users[name]
}

func (u *Users) cache(name string) []byte {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.cached[name]
}

// remember keeps what lets a user in quickly, unless the user has changed.
func (u *Users) remember(user *User, password string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.users[user.Name] == user {
		u.cached[user.Name] = wire.SHA2Hash(password)
	}
}

// method is the authentication that the greeting proposes.
func (u *Users) method() string {
	if u == nil {
		return wire.NativePassword // anything is right; all clients know it
	}
	return wire.CachingSHA2
}

// accounts are the users as the engine's privileges have them.
func accounts(users []*User) []engine.Account {
	var out []engine.Account
	for _, u := range users {
		out = append(out, engine.Account{Name: u.Name, Tables: u.Tables})
	}
	return out
}

// A passwordHash is either of MySQL's native form or PBKDF2 with SHA-256.
type passwordHash struct {
	native     []byte
	iterations int
	salt, key  []byte
}

func (h passwordHash) equal(o passwordHash) bool {
	return slices.Equal(h.native, o.native) && h.iterations == o.iterations &&
		slices.Equal(h.salt, o.salt) && slices.Equal(h.key, o.key)
}

const (
	pbkdf2Name = "pbkdf2-sha256"
	// iterations is what OWASP's Password Storage Cheat Sheet recommends for
	// PBKDF2 with HMAC-SHA-256 (2023).
	iterations    = 600_000
	minIterations = 10_000
	maxIterations = 10_000_000
)

// HashPassword makes the hash that stands for a password in a file of users.
func HashPassword(password string) string {
	salt := make([]byte, 16)
	_, _ = rand.Read(salt) // never fails
	key, err := pbkdf2.Key(sha256.New, password, salt, iterations, sha256.Size)
	if err != nil {
		panic(err) // the sizes above are right
	}
	b64 := base64.RawStdEncoding
	return fmt.Sprintf("%s$%d$%s$%s", pbkdf2Name, iterations, b64.EncodeToString(salt), b64.EncodeToString(key))
}

func parseHash(text string) (passwordHash, error) {
	if text == "" {
		return passwordHash{}, errors.New("there is no password hash")
	}
	if native, ok := strings.CutPrefix(text, "*"); ok {
		b, err := hex.DecodeString(native)
		if err != nil || len(b) != 20 {
			return passwordHash{}, errors.New("a hash that begins with * has 40 hexadecimal digits behind it")
		}
		return passwordHash{native: b}, nil
	}
	parts := strings.Split(text, "$")
	if len(parts) != 4 || parts[0] != pbkdf2Name {
		return passwordHash{}, fmt.Errorf("the password must be a hash: %s$..., or * and 40 hexadecimal digits", pbkdf2Name)
	}
	n, err := strconv.Atoi(parts[1])
	if err != nil || n < minIterations || n > maxIterations {
		return passwordHash{}, fmt.Errorf("the hash has %s iterations; %d to %d are allowed", parts[1], minIterations, maxIterations)
	}
	salt, saltErr := base64.RawStdEncoding.DecodeString(parts[2])
	key, keyErr := base64.RawStdEncoding.DecodeString(parts[3])
	if saltErr != nil || keyErr != nil || len(key) != sha256.Size {
		return passwordHash{}, errors.New("the hash is damaged")
	}
	return passwordHash{iterations: n, salt: salt, key: key}, nil
}

// right checks a password that is known in full.
func (h passwordHash) right(password string) bool {
	if h.native != nil {
		return subtle.ConstantTimeCompare(h.native, wire.NativeHash(password)) == 1
	}
	key, err := pbkdf2.Key(sha256.New, password, h.salt, h.iterations, sha256.Size)
	return err == nil && subtle.ConstantTimeCompare(key, h.key) == 1
}

package engine

import (
	"strings"
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/mysql_db"
)

// An Account is a user of a server as far as privileges go. All accounts only
// read.
type Account struct {
	Name string
	// Tables are what the account may read, as database.table; database.*
	// stands for all tables of one. None means everything.
	Tables []string
}

// AnyAccount stands for everybody, whatever the name: nothing is refused but
// what the engine refuses itself.
var AnyAccount = Account{}

// SetAccounts makes the accounts those that there are, and with the first call
// turns privileges on: sessions of others can then do nothing. It also brings
// in MySQL's own databases, for which clients ask. An engine on which it is
// never called asks nobody, which is right for a local user.
func (e *Engine) SetAccounts(accounts []Account) {
	db := e.system.accounts
	db.SetPersister(&mysql_db.NoopPersister{}) // the accounts are kept by the caller
	db.SetEnabled(true)
	ed := db.Editor()
	defer ed.Close()
	var old []mysql_db.UserPrimaryKey
	ed.VisitUsers(func(u *mysql_db.User) {
		old = append(old, mysql_db.UserPrimaryKey{Host: u.Host, User: u.User})
	})
	for _, key := range old {
		ed.RemoveUser(key)
	}
	for _, a := range accounts {
		ed.PutUser(&mysql_db.User{
			User: a.Name, Host: "%", PrivilegeSet: a.privileges(), IsSuperUser: a.Name == AnyAccount.Name,
			PasswordLastChanged: time.Unix(1, 0).UTC(), IsEphemeral: true,
		})
	}
	_ = db.Persist(sql.NewEmptyContext(), ed) // makes sessions look again
	e.system.on.Store(true)
	e.accountChanges.Add(1)
}

func (a Account) privileges() mysql_db.PrivilegeSet {
	if a.Name == AnyAccount.Name {
		return mysql_db.NewPrivilegeSetWithAllPrivileges()
	}
	set := mysql_db.NewPrivilegeSet()
	if len(a.Tables) == 0 {
		set.AddGlobalStatic(sql.PrivilegeType_Select, sql.PrivilegeType_ShowView, sql.PrivilegeType_ShowDB)
		return set
	}
	for _, name := range a.Tables {
		db, table, _ := strings.Cut(name, ".")
		if table == "*" {
			set.AddDatabase(db, sql.PrivilegeType_Select, sql.PrivilegeType_ShowView)
		} else {
			set.AddTable(db, table, sql.PrivilegeType_Select, sql.PrivilegeType_ShowView)
		}
	}
	return set
}

package localdb

import (
	"fmt"
	"slices"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/dynasql/dynasql/internal/ddb"
)

func (s *Store) deleteTable(in *ddb.DeleteTableInput) (*ddb.DeleteTableOutput, error) {
	t, err := s.idle(in.TableName)
	if err != nil {
		return nil, err
	}
	now := s.now()
	t.mu.Lock()
	defer t.mu.Unlock()
	if *t.about.DeletionProtectionEnabled {
		return nil, invalid("Resource cannot be deleted as it is currently protected against deletion. Disable deletion protection first.")
	}
	t.state = lifecycle{types.TableStatusDeleting, now.Add(s.opts.DeleteDelay)}
	d := &types.TableDescription{
		TableName: t.about.TableName, TableArn: t.about.TableArn, TableId: t.about.TableId, TableStatus: types.TableStatusDeleting,
		ItemCount: ptr(t.items.len()), TableSizeBytes: ptr(t.items.bytes), ProvisionedThroughput: t.about.ProvisionedThroughput,
	}
	return &ddb.DeleteTableOutput{TableDescription: d}, nil
}

// idle gives a table that can be changed: it exists and no change is under way.
func (s *Store) idle(name *string) (*table, error) {
	t, err := s.named(name)
	if err != nil {
		return nil, err
	}
	if phase := t.status(s.now()); phase != types.TableStatusActive {
		return nil, fail(inUse, "Attempt to change a resource which is still in use: Table is being %s: %s", phaseWord(phase), t.name)
	}
	t.settle(s.now())
	return t, nil
}

func (s *Store) updateTable(in *ddb.UpdateTableInput) (*ddb.UpdateTableOutput, error) {
	if err := checkUpdateTable(in); err != nil {
		return nil, err
	}
	t, err := s.idle(in.TableName)
	if err != nil {
		return nil, err
	}
	now := s.now()
	t.mu.Lock()
	defer t.mu.Unlock()
	a := alteration{t: t, now: now, in: in, opts: s.opts}
	if err := a.check(); err != nil {
		return nil, err
	}
	a.apply()
	d := t.describe(now)
	d.TableStatus = types.TableStatusUpdating
	return &ddb.UpdateTableOutput{TableDescription: d}, nil
}

func checkUpdateTable(in *ddb.UpdateTableInput) error {
	if err := checkTable(in.TableName); err != nil {
		return err
	}
	var c constraints
	enum(&c, in.BillingMode, "billingMode")
	enum(&c, in.TableClass, "tableClass")
	c.throughput(in.ProvisionedThroughput, "provisionedThroughput")
	for i, u := range in.GlobalSecondaryIndexUpdates {
		c.indexUpdate(u, fmt.Sprintf("globalSecondaryIndexUpdates.%d.member", i+1))
	}
	if err := c.err(); err != nil {
		return err
	}
	switch {
	case in.ProvisionedThroughput == nil && in.BillingMode == "" && in.TableClass == "" && in.DeletionProtectionEnabled == nil &&
		len(in.GlobalSecondaryIndexUpdates) == 0 && in.SSESpecification == nil && in.StreamSpecification == nil:
		return invalid("At least one of ProvisionedThroughput, BillingMode, UpdateStreamEnabled, GlobalSecondaryIndexUpdates or SSESpecification or ReplicaUpdates is required")
	case in.BillingMode == types.BillingModeProvisioned && in.ProvisionedThroughput == nil:
		return invalidValue("ProvisionedThroughput must be specified when BillingMode is PROVISIONED")
	case in.StreamSpecification != nil || len(in.ReplicaUpdates) > 0:
		return invalid("this store does not serve StreamSpecification and ReplicaUpdates")
	}
	return nil
}

func (c *constraints) indexUpdate(u types.GlobalSecondaryIndexUpdate, member string) {
	switch {
	case u.Create != nil:
		c.index(types.GlobalSecondaryIndex(*u.Create), member+".create")
	case u.Update != nil:
		c.notNull(u.Update.IndexName != nil, member+".update.indexName")
		c.name(u.Update.IndexName, member+".update.indexName")
		c.throughput(u.Update.ProvisionedThroughput, member+".update.provisionedThroughput")
	case u.Delete != nil:
		c.notNull(u.Delete.IndexName != nil, member+".delete.indexName")
		c.name(u.Delete.IndexName, member+".delete.indexName")
	}
}

// alteration is one UpdateTable on a locked table.
type alteration struct {
	t    *table
	now  time.Time
	in   *ddb.UpdateTableInput
	opts Options
}

// willBeOnDemand is the billing after the alteration.
func (a alteration) willBeOnDemand() bool {
	if a.in.BillingMode == "" {
		return a.t.onDemand()
	}
	return a.in.BillingMode == types.BillingModePayPerRequest
}

func (a alteration) check() error {
	if p := a.in.ProvisionedThroughput; p != nil {
		if a.willBeOnDemand() {
			return invalidValue("Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is PAY_PER_REQUEST")
		}
		if err := checkBounds(p); err != nil {
			return err
		}
		if err := a.checkChange(p, a.t.about.ProvisionedThroughput); err != nil {
			return err
		}
	}
	seen := map[string]bool{}
	structural := 0
	for _, u := range a.in.GlobalSecondaryIndexUpdates {
		name, err := a.checkIndexUpdate(u)
		if err != nil {
			return err
		}
		if seen[name] {
			return invalidValue("Only one global secondary index update per index is allowed simultaneously. Index: %s", name)
		}
		seen[name] = true
		if u.Update == nil {
			structural++
		}
	}
	if structural > 1 {
		return fail(limitExceeded, "Subscriber limit exceeded: Only 1 online index can be created or deleted simultaneously per table")
	}
	return a.checkIndexThroughput(seen)
}

// checkChange refuses a throughput that is the present one already.
func (a alteration) checkChange(p *types.ProvisionedThroughput, old *types.ProvisionedThroughputDescription) error {
	if *p.ReadCapacityUnits != *old.ReadCapacityUnits || *p.WriteCapacityUnits != *old.WriteCapacityUnits || len(a.in.GlobalSecondaryIndexUpdates) > 0 {
		return nil
	}
	return invalid("The provisioned throughput for the table will not change. The requested value equals the current value. "+
		"Current ReadCapacityUnits provisioned for the table: %d. Requested ReadCapacityUnits: %d. "+
		"Current WriteCapacityUnits provisioned for the table: %d. Requested WriteCapacityUnits: %d. "+
		"Refer to the Amazon DynamoDB Developer Guide for current limits and how to request higher limits.",
		*old.ReadCapacityUnits, *p.ReadCapacityUnits, *old.WriteCapacityUnits, *p.WriteCapacityUnits)
}

func (a alteration) checkIndexUpdate(u types.GlobalSecondaryIndexUpdate) (name string, err error) {
	switch {
	case u.Create != nil:
		return *u.Create.IndexName, a.checkCreate(u.Create)
	case u.Update != nil:
		name = *u.Update.IndexName
	case u.Delete != nil:
		name = *u.Delete.IndexName
	default:
		return "", invalidValue("One of GlobalSecondaryIndexUpdate.Update, GlobalSecondaryIndexUpdate.Create, GlobalSecondaryIndexUpdate.Delete must not be null")
	}
	x := a.t.index(name, a.now)
	if x == nil || !x.global {
		return name, fail(notFound, "Requested resource not found")
	}
	if phase := x.state.at(a.now); phase != types.TableStatusActive && (u.Update != nil || phase == types.TableStatusDeleting) {
		return name, fail(inUse, "Attempt to change a resource which is still in use: Index is being %s: %s", phaseWord(phase), name)
	}
	return name, nil
}

func phaseWord(phase types.TableStatus) string {
	switch phase {
	case types.TableStatusCreating:
		return "created"
	case types.TableStatusDeleting:
		return "deleted"
	}
	return "updated"
}

func (a alteration) checkCreate(c *types.CreateGlobalSecondaryIndexAction) error {
	definitions := mergeDefinitions(a.t.about.AttributeDefinitions, a.in.AttributeDefinitions)
	k := keyChecker{defined: definedNames(definitions), used: map[string]bool{}, names: map[string]bool{}}
	if err := k.key(c.KeySchema); err != nil {
		return err
	}
	globals := 0
	for _, x := range a.t.indexes {
		if x.name == *c.IndexName {
			return invalid("Attempting to create an index which already exists")
		}
		if phase := x.state.at(a.now); x.global && phase != types.TableStatusActive {
			return fail(limitExceeded, "Subscriber limit exceeded: Only 1 online index can be created or deleted simultaneously per table")
		}
		k.projected += len(x.about.Projection.NonKeyAttributes)
		if x.global {
			globals++
		}
	}
	if globals >= maxGlobalIndexes {
		return invalidValue("GlobalSecondaryIndex count exceeds the per-table limit of %d", maxGlobalIndexes)
	}
	if err := checkIndexBilling(*c.IndexName, c.ProvisionedThroughput, a.willBeOnDemand()); err != nil {
		return err
	}
	return k.index(*c.IndexName, c.Projection)
}

// checkIndexThroughput wants a throughput for each index when the table
// becomes provisioned.
func (a alteration) checkIndexThroughput(updated map[string]bool) error {
	if !a.t.onDemand() || a.willBeOnDemand() {
		return nil
	}
	for _, x := range a.t.indexes {
		if x.global && !updated[x.name] {
			return invalidValue("ProvisionedThroughput must be specified for index: %s", x.name)
		}
	}
	return nil
}

func mergeDefinitions(old, more []types.AttributeDefinition) []types.AttributeDefinition {
	merged := slices.Clone(old)
	for _, d := range more {
		same := func(o types.AttributeDefinition) bool { return str(o.AttributeName) == str(d.AttributeName) }
		if !slices.ContainsFunc(merged, same) {
			merged = append(merged, d)
		}
	}
	return merged
}

func (a alteration) apply() {
	t := a.t
	t.state = lifecycle{types.TableStatusUpdating, a.now.Add(a.opts.UpdateDelay)}
	if a.in.DeletionProtectionEnabled != nil {
		t.about.DeletionProtectionEnabled = ptr(*a.in.DeletionProtectionEnabled)
	}
	if a.in.TableClass != "" {
		t.about.TableClassSummary = &types.TableClassSummary{TableClass: a.in.TableClass}
	}
	if becomes := a.willBeOnDemand(); becomes != t.onDemand() {
		a.switchBilling(becomes)
	}
	if a.in.ProvisionedThroughput != nil {
		t.about.ProvisionedThroughput = a.changed(t.about.ProvisionedThroughput, a.in.ProvisionedThroughput)
	}
	for _, u := range a.in.GlobalSecondaryIndexUpdates {
		a.applyIndexUpdate(u)
	}
}

func (a alteration) switchBilling(onDemand bool) {
	about := &a.t.about
	if !onDemand {
		about.BillingModeSummary = &types.BillingModeSummary{
			BillingMode: types.BillingModeProvisioned, LastUpdateToPayPerRequestDateTime: about.BillingModeSummary.LastUpdateToPayPerRequestDateTime,
		}
		return
	}
	about.BillingModeSummary = &types.BillingModeSummary{BillingMode: types.BillingModePayPerRequest, LastUpdateToPayPerRequestDateTime: &a.now}
	about.ProvisionedThroughput = provisioned(nil)
	for _, x := range a.t.indexes {
		x.about.ProvisionedThroughput = provisioned(nil)
	}
}

// changed is an old throughput with what is provisioned now.
func (a alteration) changed(old *types.ProvisionedThroughputDescription, to *types.ProvisionedThroughput) *types.ProvisionedThroughputDescription {
	d := *old
	if *to.ReadCapacityUnits > *old.ReadCapacityUnits || *to.WriteCapacityUnits > *old.WriteCapacityUnits {
		d.LastIncreaseDateTime = &a.now
	}
	if *to.ReadCapacityUnits < *old.ReadCapacityUnits || *to.WriteCapacityUnits < *old.WriteCapacityUnits {
		d.LastDecreaseDateTime = &a.now
		d.NumberOfDecreasesToday = ptr(*old.NumberOfDecreasesToday + 1)
	}
	d.ReadCapacityUnits, d.WriteCapacityUnits = ptr(*to.ReadCapacityUnits), ptr(*to.WriteCapacityUnits)
	return &d
}

func (a alteration) applyIndexUpdate(u types.GlobalSecondaryIndexUpdate) {
	t, until := a.t, a.now.Add(a.opts.IndexDelay)
	switch {
	case u.Create != nil:
		t.about.AttributeDefinitions = mergeDefinitions(t.about.AttributeDefinitions, a.in.AttributeDefinitions)
		x := t.newIndex(types.GlobalSecondaryIndex(*u.Create), true)
		x.state = lifecycle{types.TableStatusCreating, until}
		t.fill(x)
		t.indexes = append(slices.Clip(t.indexes), x)
	case u.Update != nil:
		x := t.index(*u.Update.IndexName, a.now)
		if u.Update.ProvisionedThroughput != nil {
			x.about.ProvisionedThroughput = a.changed(x.about.ProvisionedThroughput, u.Update.ProvisionedThroughput)
		}
	case u.Delete != nil:
		t.index(*u.Delete.IndexName, a.now).state = lifecycle{types.TableStatusDeleting, until}
	}
}

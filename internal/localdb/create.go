package localdb

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/dynasql/dynasql/internal/ddb"
)

// Limits of the service on the definition of a table.
const (
	maxLocalIndexes  = 5
	maxGlobalIndexes = 20
	maxProjected     = 100 // NonKeyAttributes of all indexes together
	maxUnits         = 1_000_000_000_000
)

// createTable makes a table. StreamSpecification, SSESpecification,
// ResourcePolicy and the limits of on-demand throughput have no effect here.
func (s *Store) createTable(in *ddb.CreateTableInput) (*ddb.CreateTableOutput, error) {
	if err := checkCreateTable(in); err != nil {
		return nil, err
	}
	now := s.now()
	s.mu.Lock()
	defer s.mu.Unlock()
	name := *in.TableName
	if old := s.tables[name]; old != nil && old.status(now) != "" {
		return nil, fail(inUse, "Table already exists: %s", name)
	}
	s.made++
	t := &table{
		name:  name,
		key:   newKeySchema(in.KeySchema, in.AttributeDefinitions),
		tags:  slices.Clone(in.Tags),
		lag:   s.opts.IndexLag,
		state: lifecycle{types.TableStatusCreating, now.Add(s.opts.CreateDelay)},
		about: types.TableDescription{
			TableName:                 &name,
			TableArn:                  ptr(tableARN(name)),
			TableId:                   ptr(fmt.Sprintf("00000000-0000-4000-8000-%012x", s.made)),
			CreationDateTime:          &now,
			AttributeDefinitions:      slices.Clone(in.AttributeDefinitions),
			KeySchema:                 slices.Clone(in.KeySchema),
			ProvisionedThroughput:     provisioned(in.ProvisionedThroughput),
			DeletionProtectionEnabled: ptr(isTrue(in.DeletionProtectionEnabled)),
		},
		items: newTree(),
	}
	if in.BillingMode == types.BillingModePayPerRequest {
		t.about.BillingModeSummary = &types.BillingModeSummary{BillingMode: in.BillingMode, LastUpdateToPayPerRequestDateTime: &now}
	}
	if in.TableClass != "" {
		t.about.TableClassSummary = &types.TableClassSummary{TableClass: in.TableClass}
	}
	for _, l := range in.LocalSecondaryIndexes {
		t.indexes = append(t.indexes, t.newIndex(local(l), false))
	}
	for _, g := range in.GlobalSecondaryIndexes {
		t.indexes = append(t.indexes, t.newIndex(g, true))
	}
	d := t.describe(now)
	d.TableStatus = types.TableStatusCreating
	s.tables[name] = t
	return &ddb.CreateTableOutput{TableDescription: d}, nil
}

// local is a local index in the form of a global one.
func local(l types.LocalSecondaryIndex) types.GlobalSecondaryIndex {
	return types.GlobalSecondaryIndex{IndexName: l.IndexName, KeySchema: l.KeySchema, Projection: l.Projection}
}

func tableARN(name string) string { return "arn:aws:dynamodb:local:000000000000:table/" + name }

// provisioned describes a throughput, zero for what is on demand.
func provisioned(p *types.ProvisionedThroughput) *types.ProvisionedThroughputDescription {
	d := &types.ProvisionedThroughputDescription{ReadCapacityUnits: new(int64), WriteCapacityUnits: new(int64), NumberOfDecreasesToday: new(int64)}
	if p != nil {
		d.ReadCapacityUnits, d.WriteCapacityUnits = ptr(*p.ReadCapacityUnits), ptr(*p.WriteCapacityUnits)
	}
	return d
}

func (t *table) newIndex(d types.GlobalSecondaryIndex, global bool) *index {
	key := newKeySchema(d.KeySchema, t.about.AttributeDefinitions)
	return &index{
		name:   *d.IndexName,
		global: global,
		key:    key,
		held:   heldNames(t.key, key, d.Projection),
		state:  active,
		about: types.GlobalSecondaryIndexDescription{
			IndexName:             ptr(*d.IndexName),
			IndexArn:              ptr(*t.about.TableArn + "/index/" + *d.IndexName),
			KeySchema:             slices.Clone(d.KeySchema),
			Projection:            ptr(*d.Projection),
			ProvisionedThroughput: provisioned(d.ProvisionedThroughput),
		},
		entries: newTree(),
	}
}

func checkCreateTable(in *ddb.CreateTableInput) error {
	if in.TableName == nil {
		return invalid("The parameter 'TableName' is required but was not present in the request")
	}
	var name constraints
	name.name(in.TableName, "tableName")
	if len(name.found) > 0 {
		return name.err()
	}
	var c constraints
	enum(&c, in.BillingMode, "billingMode")
	enum(&c, in.TableClass, "tableClass")
	c.definitions(in.AttributeDefinitions)
	c.key(in.KeySchema, "keySchema")
	c.throughput(in.ProvisionedThroughput, "provisionedThroughput")
	for i, l := range in.LocalSecondaryIndexes {
		c.index(local(l), fmt.Sprintf("localSecondaryIndexes.%d.member", i+1))
	}
	for i, g := range in.GlobalSecondaryIndexes {
		c.index(g, fmt.Sprintf("globalSecondaryIndexes.%d.member", i+1))
	}
	if err := c.err(); err != nil {
		return err
	}
	if err := checkBilling(in); err != nil {
		return err
	}
	return checkKeys(in)
}

func (c *constraints) definitions(definitions []types.AttributeDefinition) {
	c.notNull(definitions != nil, "attributeDefinitions")
	for i, d := range definitions {
		at := fmt.Sprintf("attributeDefinitions.%d.member.", i+1)
		c.notNull(d.AttributeName != nil, at+"attributeName")
		c.notNull(d.AttributeType != "", at+"attributeType")
		enum(c, d.AttributeType, at+"attributeType")
	}
}

func (c *constraints) key(elements []types.KeySchemaElement, member string) {
	c.notNull(elements != nil, member)
	if elements != nil {
		c.length(len(elements), 1, 2, quote(keyText(elements)), member)
	}
	for i, e := range elements {
		at := fmt.Sprintf("%s.%d.member.", member, i+1)
		c.notNull(e.AttributeName != nil, at+"attributeName")
		c.notNull(e.KeyType != "", at+"keyType")
		enum(c, e.KeyType, at+"keyType")
	}
}

func keyText(elements []types.KeySchemaElement) string {
	texts := make([]string, len(elements))
	for i, e := range elements {
		texts[i] = fmt.Sprintf("KeySchemaElement(attributeName=%s, keyType=%s)", str(e.AttributeName), e.KeyType)
	}
	return "[" + strings.Join(texts, ", ") + "]"
}

func (c *constraints) throughput(p *types.ProvisionedThroughput, member string) {
	if p == nil {
		return
	}
	c.units(p.ReadCapacityUnits, member+".readCapacityUnits")
	c.units(p.WriteCapacityUnits, member+".writeCapacityUnits")
}

func (c *constraints) units(units *int64, member string) {
	c.notNull(units != nil, member)
	if units != nil {
		c.atLeast(*units, 1, member)
	}
}

func (c *constraints) index(d types.GlobalSecondaryIndex, member string) {
	c.notNull(d.IndexName != nil, member+".indexName")
	c.name(d.IndexName, member+".indexName")
	c.key(d.KeySchema, member+".keySchema")
	c.notNull(d.Projection != nil, member+".projection")
	if d.Projection != nil {
		enum(c, d.Projection.ProjectionType, member+".projection.projectionType")
		if names := d.Projection.NonKeyAttributes; names != nil {
			c.length(len(names), 1, maxProjected, quote("["+strings.Join(names, ", ")+"]"), member+".projection.nonKeyAttributes")
		}
	}
	c.throughput(d.ProvisionedThroughput, member+".provisionedThroughput")
}

func checkBilling(in *ddb.CreateTableInput) error {
	switch onDemand := in.BillingMode == types.BillingModePayPerRequest; {
	case onDemand && in.ProvisionedThroughput != nil:
		return invalidValue("Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is PAY_PER_REQUEST")
	case !onDemand && in.ProvisionedThroughput == nil:
		return invalidValue("ReadCapacityUnits and WriteCapacityUnits must both be specified when BillingMode is PROVISIONED")
	case onDemand:
		return nil
	}
	return checkBounds(in.ProvisionedThroughput)
}

func checkBounds(p *types.ProvisionedThroughput) error {
	switch {
	case *p.ReadCapacityUnits > maxUnits:
		return invalid("Given value %d for ReadCapacityUnits is out of bounds", *p.ReadCapacityUnits)
	case *p.WriteCapacityUnits > maxUnits:
		return invalid("Given value %d for WriteCapacityUnits is out of bounds", *p.WriteCapacityUnits)
	}
	return nil
}

// checkKeys checks the table's key and its indexes against each other and the
// attribute definitions.
func checkKeys(in *ddb.CreateTableInput) error {
	k := keyChecker{defined: definedNames(in.AttributeDefinitions), used: map[string]bool{}, names: map[string]bool{}}
	if len(in.KeySchema) > len(k.defined) {
		return invalid("Invalid KeySchema: Some index key attribute have no definition")
	}
	if err := k.key(in.KeySchema); err != nil {
		return err
	}
	if err := k.locals(in); err != nil {
		return err
	}
	if err := k.globals(in); err != nil {
		return err
	}
	return k.allUsed(in)
}

func definedNames(definitions []types.AttributeDefinition) []string {
	names := make([]string, len(definitions))
	for i, d := range definitions {
		names[i] = *d.AttributeName
	}
	return names
}

// keyChecker remembers what it has seen of a table's definition.
type keyChecker struct {
	defined   []string
	used      map[string]bool // attributes that are part of a key
	names     map[string]bool // of indexes
	projected int
}

func (k *keyChecker) key(elements []types.KeySchemaElement) error {
	names := make([]string, len(elements))
	missing := false
	for i, e := range elements {
		names[i] = *e.AttributeName
		k.used[names[i]] = true
		missing = missing || !slices.Contains(k.defined, names[i])
	}
	switch {
	case missing:
		return invalidValue("Some index key attributes are not defined in AttributeDefinitions. Keys: [%s], AttributeDefinitions: [%s]",
			strings.Join(names, ", "), strings.Join(k.defined, ", "))
	case len(names) == 2 && names[0] == names[1]:
		return invalid("Both the Hash Key and the Range Key element in the KeySchema have the same name")
	case elements[0].KeyType != types.KeyTypeHash:
		return invalid("Invalid KeySchema: The first KeySchemaElement is not a HASH key type")
	case len(names) == 2 && elements[1].KeyType != types.KeyTypeRange:
		return invalid("Invalid KeySchema: The second KeySchemaElement is not a RANGE key type")
	}
	return nil
}

func (k *keyChecker) locals(in *ddb.CreateTableInput) error {
	switch n := len(in.LocalSecondaryIndexes); {
	case in.LocalSecondaryIndexes == nil:
		return nil
	case n == 0:
		return invalidValue("List of LocalSecondaryIndexes is empty")
	case len(in.KeySchema) != 2:
		return invalidValue("Table KeySchema does not have a range key, which is required when specifying a LocalSecondaryIndex")
	}
	for _, l := range in.LocalSecondaryIndexes {
		if err := k.key(l.KeySchema); err != nil {
			return err
		}
		own, base := *l.KeySchema[0].AttributeName, *in.KeySchema[0].AttributeName
		switch {
		case len(l.KeySchema) != 2:
			return invalidValue("Index KeySchema does not have a range key for index: %s", *l.IndexName)
		case own != base:
			return invalidValue("Index KeySchema does not have the same leading hash key as table KeySchema for index: %s. index hash key: %s, table hash key: %s",
				*l.IndexName, own, base)
		}
		if err := k.index(*l.IndexName, l.Projection); err != nil {
			return err
		}
	}
	if n := len(in.LocalSecondaryIndexes); n > maxLocalIndexes {
		return invalidValue("Number of LocalSecondaryIndexes exceeds per-table limit of %d", maxLocalIndexes)
	}
	return nil
}

func (k *keyChecker) globals(in *ddb.CreateTableInput) error {
	if in.GlobalSecondaryIndexes != nil && len(in.GlobalSecondaryIndexes) == 0 {
		return invalidValue("List of GlobalSecondaryIndexes is empty")
	}
	for _, g := range in.GlobalSecondaryIndexes {
		if err := k.key(g.KeySchema); err != nil {
			return err
		}
		if err := checkIndexBilling(*g.IndexName, g.ProvisionedThroughput, in.BillingMode == types.BillingModePayPerRequest); err != nil {
			return err
		}
		if err := k.index(*g.IndexName, g.Projection); err != nil {
			return err
		}
	}
	if len(in.GlobalSecondaryIndexes) > maxGlobalIndexes {
		return invalidValue("GlobalSecondaryIndex count exceeds the per-table limit of %d", maxGlobalIndexes)
	}
	return nil
}

func checkIndexBilling(name string, p *types.ProvisionedThroughput, onDemand bool) error {
	switch {
	case onDemand && p != nil:
		return invalidValue("ProvisionedThroughput should not be specified for index: %s when BillingMode is PAY_PER_REQUEST", name)
	case !onDemand && p == nil:
		return invalidValue("ProvisionedThroughput must be specified for index: %s", name)
	}
	return nil
}

func (k *keyChecker) index(name string, p *types.Projection) error {
	k.projected += len(p.NonKeyAttributes)
	include := p.ProjectionType == types.ProjectionTypeInclude
	switch {
	case p.ProjectionType == "":
		return invalidValue("Unknown ProjectionType: null")
	case p.NonKeyAttributes != nil && !include:
		return invalidValue("ProjectionType is %s, but NonKeyAttributes is specified", p.ProjectionType)
	case p.NonKeyAttributes == nil && include:
		return invalidValue("ProjectionType is %s, but NonKeyAttributes is not specified", p.ProjectionType)
	case k.names[name]:
		return invalidValue("Duplicate index name: %s", name)
	case k.projected > maxProjected:
		return invalidValue("Number of NonKeyAttributes of all indexes exceeds the per-table limit of %d", maxProjected)
	}
	k.names[name] = true
	return nil
}

func (k *keyChecker) allUsed(in *ddb.CreateTableInput) error {
	if len(k.used) == len(k.defined) {
		return nil
	}
	if in.LocalSecondaryIndexes == nil && in.GlobalSecondaryIndexes == nil {
		return invalidValue("Number of attributes in KeySchema does not exactly match number of attributes defined in AttributeDefinitions")
	}
	return invalidValue("Some AttributeDefinitions are not used. AttributeDefinitions: [%s], keys used: [%s]",
		strings.Join(k.defined, ", "), strings.Join(slices.Sorted(maps.Keys(k.used)), ", "))
}

// Package schemafile reads and writes schema files: YAML that pins the columns
// of tables to types, names and places which the sample alone does not give.
//
//	tables:
//	  orders:
//	    columns:
//	      total: DECIMAL(10,2)
//	      created_at: {attribute: createdAt, type: DATETIME, from: epoch_s}
//	      city: {attribute: address, path: $.city, type: VARCHAR(60)}
//	      internal: {hide: true}
//
// It turns texts into values of package schema and back; it opens no file and
// sees no table.
package schemafile

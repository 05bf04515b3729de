import type { ChangeList, Direction } from './change.ts'
import type { Located } from './documents.ts'
import { compareNames, namedSchemas } from './openapi.ts'
import { SchemaComparison } from './schema/compare.ts'

/** Compares two JSON Schemas, and the definitions in them. */
export function compareJsonSchema(
  older: Located,
  newer: Located,
  changes: ChangeList,
  direction: Direction,
): void {
  const schemas = new SchemaComparison(changes)
  schemas.compare(older, newer, '', direction)
  for (const section of ['$defs', 'definitions']) {
    const [before, after] = [namedSchemas(older, section), namedSchemas(newer, section)]
    compareNames(before, after, changes)
    for (const [name, schema] of before) {
      const other = after.get(name)
      if (other !== undefined && !schemas.hasCompared(name))
        schemas.compare(schema, other, `schema ${name}`, direction)
    }
  }
}

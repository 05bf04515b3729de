import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from './package.ts'

/**
 * Returns the names of the contracts, in the order in which the schema of the catalogues
 * (specs/requirements/schema.json) lists them.
 */
export function contractNames(): readonly string[] {
  const file = join(packageRoot(), 'specs/requirements/schema.json')
  const { properties } = JSON.parse(readFileSync(file, 'utf8')) as {
    properties: { contract: { enum: string[] } }
  }
  return properties.contract.enum
}

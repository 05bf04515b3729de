import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from './package.ts'

/**
 * The contracts in their order, as the schema of the catalogues lists them:
 * specs/requirements/schema.json.
 */
export function contractNames(): readonly string[] {
  const file = join(packageRoot(), 'specs/requirements/schema.json')
  const { properties } = JSON.parse(readFileSync(file, 'utf8')) as {
    properties: { contract: { enum: string[] } }
  }
  return properties.contract.enum
}

import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { packageRoot } from '../../package.ts'
import { readJson } from './catalogue.ts'
import type { Links } from './links.ts'
import type { SpecObject, DefinitionGroup } from './definitions.ts'
import { schemaEntry } from './schema.ts'

/** The schemas with which a reader begins: a tool, its arguments, and its results. */
const first = ['ToolDefinition', 'SearchInput', 'PaginationResult', 'Truncation', 'ErrorMessage']

/** Returns the schemas of tool definitions, arguments and results. */
export async function toolParts(links: Links): Promise<DefinitionGroup[]> {
  const namesIn = async (folder: string) =>
    (await readdir(join(packageRoot(), folder))).filter((name) => name.endsWith('.json')).sort()
  const names = (await namesIn('specs/json-schema/tools')).map((file) => file.slice(0, -5))
  const samples = await Promise.all(
    (await namesIn('specs/examples/tools')).map(async (file) => {
      const [schema = '', name = ''] = file.split('.')
      const value = await readJson<unknown>(`specs/examples/tools/${file}`)
      return { schema, example: [`Example: ${name}`, value] as const }
    }),
  )
  const rank = (name: string) => (first.includes(name) ? first.indexOf(name) : first.length)
  const entries = await Promise.all(
    names
      .toSorted((one, other) => rank(one) - rank(other))
      .map(async (name) =>
        schemaEntry(
          name,
          await readJson<SpecObject>(`specs/json-schema/tools/${name}.json`),
          links,
          samples.filter(({ schema }) => schema === name).map(({ example }) => example),
        ),
      ),
  )
  return [{ id: 'schemas', heading: 'Definitions, arguments and results', entries }]
}

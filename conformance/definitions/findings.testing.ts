import { readFileSync } from 'node:fs'
import { findingsOf, type DefinitionFinding } from './index.ts'

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- definitions of any shape
export type Loose = any

/** Reads one of the sample tool definitions in `specs/examples`. */
export const sample = (name: string) =>
  JSON.parse(
    readFileSync(
      new URL(`../../specs/examples/tools/ToolDefinition.${name}.json`, import.meta.url),
      'utf8',
    ),
  ) as Loose
/** A finding in one line. */
export const brief = ({ rule, path, severity }: DefinitionFinding) =>
  `${severity === 'warning' ? 'warning: ' : ''}${rule} ${path}`

/** The findings about definitions, each in one line. */
export const found = (definitions: unknown, serverName?: string) =>
  findingsOf(definitions, serverName).map(brief)
/** The findings about the sample tool after a change. */
export function after(change: (tool: Loose) => void, name = 'flat') {
  const tool = sample(name)
  change(tool)
  return found([tool])
}
/** The findings about the sample tool with one more field, which has a description. */
export const withField = (field: object) =>
  after((tool) => {
    tool.inputSchema.properties.extra = { description: 'More.', ...field }
  }).map((line) => line.replace('$.tools[0].inputSchema.properties', ''))

/** Copies of the sample tool, one with each of these names. */
export const named = (...names: string[]) => names.map((name) => ({ ...sample('flat'), name }))

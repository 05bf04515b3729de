import { preview, childPath, type CommonName, type ReportFinding } from './finding.ts'
import type { ToolInputField } from './input.ts'
import { isNull, typesOf, branchesOf, type LocatedSchema, type SchemaBranch } from './schema.ts'

/** What each of the common fields is left at, and which values it takes. */
const conventions: { readonly [name in CommonName]: { default: unknown; mend: string } } = {
  response_format: { default: 'markdown', mend: 'make it a string with enum ["markdown", "json"]' },
  limit: { default: 20, mend: 'make it an integer with minimum 1 and maximum 100' },
  offset: { default: 0, mend: 'make it an integer with minimum 0' },
}

const isCommon = (name: string): name is CommonName => Object.hasOwn(conventions, name)

/** Judges a field that has the name of a common one; passes by all others. */
export function judgeCommonField(
  { name, located, required }: ToolInputField,
  root: LocatedSchema,
  note: ReportFinding,
): void {
  if (!isCommon(name)) return
  const all = branchesOf(located, root)
  judgeDefault(name, located, all, required, note)
  const ways = all.filter((way) => !isNull(way))
  if (ways.some(({ opaque }) => opaque)) return
  if (name === 'response_format') judgeFormats(located, ways, note)
  else judgeRange(name, located, ways, note)
}

function judgeDefault(
  name: CommonName,
  { path }: LocatedSchema,
  ways: readonly SchemaBranch[],
  required: boolean,
  note: ReportFinding,
): void {
  const { default: wanted } = conventions[name]
  const holder = ways.flatMap(({ parts }) => parts).find(({ schema }) => 'default' in schema)
  const mend = `give it the default ${preview(wanted)}${required ? ' and take it out of required' : ''}`
  if (holder !== undefined && holder.schema.default !== wanted)
    note(
      `${name}-default`,
      childPath(holder.path, 'default'),
      `has the default ${preview(holder.schema.default)}`,
      mend,
    )
  else if (holder !== undefined && required)
    note(
      `${name}-default`,
      path,
      'has a default, and must be given all the same',
      'take it out of required',
      'warning',
    )
  else if (holder === undefined && required)
    note(`${name}-default`, path, 'must be given, so it has no default', mend)
  // What the server does without it is another matter, and shows when it is called.
  else if (holder === undefined && !ways.some(({ opaque }) => opaque))
    note(`${name}-default`, path, 'does not tell its default', mend, 'warning')
}

function judgeFormats(
  { path }: LocatedSchema,
  ways: readonly SchemaBranch[],
  note: ReportFinding,
): void {
  const { mend } = conventions.response_format
  const lists = ways.map(
    ({ parts }) =>
      parts.find(({ schema }) => Array.isArray(schema.enum) || 'const' in schema)?.schema,
  )
  if (ways.length === 0 || lists.includes(undefined))
    return note('response_format', path, 'is no enum', mend)
  const values = new Set(
    lists.flatMap((schema): unknown[] =>
      Array.isArray(schema?.enum) ? schema.enum : [schema?.const],
    ),
  )
  const missing = ['markdown', 'json'].filter((value) => !values.has(value))
  const more = [...values].filter(
    (value) => value !== 'markdown' && value !== 'json' && value !== null,
  )
  if (missing.length > 0)
    note('response_format', path, `does not take ${missing.join(' or ')}`, mend)
  else if (more.length > 0)
    note('response_format', path, `takes also ${more.map(preview).join(', ')}`, mend, 'warning')
}

function judgeRange(
  name: 'limit' | 'offset',
  { path }: LocatedSchema,
  ways: readonly SchemaBranch[],
  note: ReportFinding,
): void {
  const { mend } = conventions[name]
  const whole =
    ways.length > 0 &&
    ways.every(
      (way) =>
        typesOf(way)?.every(
          (type) => type === 'integer' || type === 'null' || (type === 'number' && isStepped(way)),
        ) ?? false,
    )
  if (!whole) return note(name, path, 'is no integer', mend)
  for (const way of ways) {
    const lower = bound(way, 'minimum', 'exclusiveMinimum', 1)
    if (lower.value !== (name === 'limit' ? 1 : 0))
      return note(
        name,
        lower.path ?? path,
        lower.value === undefined ? 'has no minimum' : `begins at ${lower.value}`,
        mend,
      )
    const upper = bound(way, 'maximum', 'exclusiveMaximum', -1)
    if (name === 'limit' && upper.value !== 100)
      return note(
        name,
        upper.path ?? path,
        upper.value === undefined ? 'has no maximum' : `ends at ${upper.value}`,
        mend,
      )
  }
}

const isStepped = ({ parts }: SchemaBranch) =>
  parts.some(
    ({ schema: { multipleOf } }) => typeof multipleOf === 'number' && Number.isInteger(multipleOf),
  )

/** The tightest bound on one side, for integers, and where it stands. `inward` is the step from what is excluded to what is not. */
function bound(
  { parts }: SchemaBranch,
  keyword: string,
  exclusive: string,
  inward: 1 | -1,
): { value?: number; path?: string } {
  const found = parts.flatMap(({ schema, path }) => {
    const [edge, beyond] = [schema[keyword], schema[exclusive]]
    return [
      // In old drafts the exclusive keyword is a boolean beside the other.
      ...(typeof edge === 'number'
        ? [{ value: beyond === true ? edge + inward : edge, path: childPath(path, keyword) }]
        : []),
      ...(typeof beyond === 'number'
        ? [{ value: beyond + inward, path: childPath(path, exclusive) }]
        : []),
    ]
  })
  return found.sort((one, other) => (other.value - one.value) * inward)[0] ?? {}
}

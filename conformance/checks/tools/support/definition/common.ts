import { preview, childPath, type CommonName, type ReportFinding } from './finding.ts'
import type { ToolInputField } from './input.ts'
import { isNull, typesOf, branchesOf, type LocatedSchema, type SchemaBranch } from './schema.ts'

/** The default of each common field, and how to fix a wrong definition. */
const conventions: { readonly [name in CommonName]: { default: unknown; fix: string } } = {
  response_format: { default: 'markdown', fix: 'make it a string with enum ["markdown", "json"]' },
  limit: { default: 20, fix: 'make it an integer with minimum 1 and maximum 100' },
  offset: { default: 0, fix: 'make it an integer with minimum 0' },
}

const isCommon = (name: string): name is CommonName => Object.hasOwn(conventions, name)

/** Judges a field if it has the name of a common field. */
export function judgeCommonField(
  { name, located, required }: ToolInputField,
  root: LocatedSchema,
  report: ReportFinding,
): void {
  if (!isCommon(name)) return
  const all = branchesOf(located, root)
  judgeDefault(name, located, all, required, report)
  const branches = all.filter((branch) => !isNull(branch))
  if (branches.some(({ opaque }) => opaque)) return
  if (name === 'response_format') judgeFormats(located, branches, report)
  else judgeRange(name, located, branches, report)
}

function judgeDefault(
  name: CommonName,
  { path }: LocatedSchema,
  branches: readonly SchemaBranch[],
  required: boolean,
  report: ReportFinding,
): void {
  const { default: wanted } = conventions[name]
  const holder = branches.flatMap(({ parts }) => parts).find(({ schema }) => 'default' in schema)
  const fix = `give it the default ${preview(wanted)}${required ? ' and remove it from required' : ''}`
  if (holder !== undefined && holder.schema.default !== wanted)
    report(
      `${name}-default`,
      childPath(holder.path, 'default'),
      `has the default ${preview(holder.schema.default)}`,
      fix,
    )
  else if (holder !== undefined && required)
    report(
      `${name}-default`,
      path,
      'has a default, but is required',
      'remove it from required',
      'warning',
    )
  else if (holder === undefined && required)
    report(`${name}-default`, path, 'is required, so it has no default', fix)
  // The behaviour without the field is covered by the checks that call the tool.
  else if (holder === undefined && !branches.some(({ opaque }) => opaque))
    report(`${name}-default`, path, 'does not declare its default', fix, 'warning')
}

function judgeFormats(
  { path }: LocatedSchema,
  branches: readonly SchemaBranch[],
  report: ReportFinding,
): void {
  const { fix } = conventions.response_format
  const lists = branches.map(
    ({ parts }) =>
      parts.find(({ schema }) => Array.isArray(schema.enum) || 'const' in schema)?.schema,
  )
  if (branches.length === 0 || lists.includes(undefined))
    return report('response_format', path, 'is not an enum', fix)
  const values = new Set(
    lists.flatMap((schema): unknown[] =>
      Array.isArray(schema?.enum) ? schema.enum : [schema?.const],
    ),
  )
  const missing = ['markdown', 'json'].filter((value) => !values.has(value))
  const additional = [...values].filter(
    (value) => value !== 'markdown' && value !== 'json' && value !== null,
  )
  if (missing.length > 0)
    report('response_format', path, `does not accept ${missing.join(' or ')}`, fix)
  else if (additional.length > 0)
    report(
      'response_format',
      path,
      `also accepts ${additional.map(preview).join(', ')}`,
      fix,
      'warning',
    )
}

function judgeRange(
  name: 'limit' | 'offset',
  { path }: LocatedSchema,
  branches: readonly SchemaBranch[],
  report: ReportFinding,
): void {
  const { fix } = conventions[name]
  const isInteger =
    branches.length > 0 &&
    branches.every(
      (branch) =>
        typesOf(branch)?.every(
          (type) =>
            type === 'integer' || type === 'null' || (type === 'number' && isStepped(branch)),
        ) ?? false,
    )
  if (!isInteger) return report(name, path, 'is not an integer', fix)
  for (const branch of branches) {
    const lower = bound(branch, 'minimum', 'exclusiveMinimum', 1)
    if (lower.value !== (name === 'limit' ? 1 : 0))
      return report(
        name,
        lower.path ?? path,
        lower.value === undefined ? 'has no minimum' : `begins at ${lower.value}`,
        fix,
      )
    const upper = bound(branch, 'maximum', 'exclusiveMaximum', -1)
    if (name === 'limit' && upper.value !== 100)
      return report(
        name,
        upper.path ?? path,
        upper.value === undefined ? 'has no maximum' : `ends at ${upper.value}`,
        fix,
      )
  }
}

const isStepped = ({ parts }: SchemaBranch) =>
  parts.some(
    ({ schema: { multipleOf } }) => typeof multipleOf === 'number' && Number.isInteger(multipleOf),
  )

/**
 * The tightest bound on one side, for integers, with its path. `inward` is the step from an
 * excluded value to an allowed one.
 */
function bound(
  { parts }: SchemaBranch,
  keyword: string,
  exclusive: string,
  inward: 1 | -1,
): { value?: number; path?: string } {
  const found = parts.flatMap(({ schema, path }) => {
    const [edge, beyond] = [schema[keyword], schema[exclusive]]
    return [
      // In old drafts of JSON Schema, exclusiveMinimum is a boolean that modifies minimum, and
      // exclusiveMaximum one that modifies maximum.
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

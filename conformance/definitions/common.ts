import { commonFields } from '../../generated/tools/rules.ts'
import { childPath, isCommon, preview, type CommonName, type ReportFinding } from './finding.ts'
import type { ToolInputField } from './input.ts'
import { isNull, typesOf, branchesOf, type LocatedSchema, type SchemaBranch } from './branches.ts'

/** How to fix a wrong definition of a common field. */
const fixes: { readonly [name in CommonName]: string } = {
  response_format: `make it a string with enum ${JSON.stringify(commonFields.response_format.schema.enum)}`,
  limit: `make it an integer with minimum ${commonFields.limit.schema.minimum} and maximum ${commonFields.limit.schema.maximum}`,
  offset: `make it an integer with minimum ${commonFields.offset.schema.minimum}`,
}

/** Judges a field with the name of a common field: response_format, limit or offset. */
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
  const { default: wanted } = commonFields[name].schema
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
  // Only a warning: the checks that call the tool test its behaviour without the field.
  else if (holder === undefined && !branches.some(({ opaque }) => opaque))
    report(`${name}-default`, path, 'does not declare its default', fix, 'warning')
}

function judgeFormats(
  { path }: LocatedSchema,
  branches: readonly SchemaBranch[],
  report: ReportFinding,
): void {
  const fix = fixes.response_format
  const formats: readonly unknown[] = commonFields.response_format.schema.enum
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
  const missing = formats.filter((value) => !values.has(value))
  const additional = [...values].filter((value) => value !== null && !formats.includes(value))
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
  const fix = fixes[name]
  const wanted: { minimum: number; maximum?: number } = commonFields[name].schema
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
    if (lower.value !== wanted.minimum)
      return report(
        name,
        lower.path ?? path,
        lower.value === undefined ? 'has no minimum' : `begins at ${lower.value}`,
        fix,
      )
    const upper = bound(branch, 'maximum', 'exclusiveMaximum', -1)
    if (wanted.maximum !== undefined && upper.value !== wanted.maximum)
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
 * The tightest lower or upper bound of integers, with its path. `inward` is the direction from the
 * bound to the allowed values: 1 for a lower bound, -1 for an upper bound.
 */
function bound(
  { parts }: SchemaBranch,
  keyword: string,
  exclusive: string,
  inward: 1 | -1,
): { value?: number; path?: string } {
  const within = (edge: number) => inward * Math.ceil(inward * edge)
  const beyondOf = (edge: number) => inward * (Math.floor(inward * edge) + 1)
  const found = parts.flatMap(({ schema, path }) => {
    const [edge, beyond] = [schema[keyword], schema[exclusive]]
    return [
      // In old drafts of JSON Schema, exclusiveMinimum and exclusiveMaximum are booleans that
      // modify minimum and maximum.
      ...(typeof edge === 'number'
        ? [
            {
              value: beyond === true ? beyondOf(edge) : within(edge),
              path: childPath(path, keyword),
            },
          ]
        : []),
      ...(typeof beyond === 'number'
        ? [{ value: beyondOf(beyond), path: childPath(path, exclusive) }]
        : []),
    ]
  })
  return found.sort((one, other) => (other.value - one.value) * inward)[0] ?? {}
}

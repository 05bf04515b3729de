import { jsonTypes, partRules } from '../../generated/tools/rules.ts'
import { validateConstraint } from '../../generated/tools/index.ts'
import { isNotBlank, preview, childPath, type ReportFinding } from './finding.ts'
import { isNull, typesOf, branchesOf, type LocatedSchema, type SchemaBranch } from './branches.ts'

/** Keywords that constrain a value, by its type. */
const suggestedKeywords: { readonly [type: string]: string } = {
  string: 'minLength, maxLength, pattern, format or enum',
  integer: 'minimum, maximum or enum',
  number: 'minimum, maximum or enum',
  array: 'minItems, maxItems, uniqueItems or bounds for its items',
}

const describeField = partRules['field-description'].fix

/** Judges the type, the description and the bounds of one field. */
export function judgeField(
  located: LocatedSchema,
  root: LocatedSchema,
  report: ReportFinding,
  severity: 'error' | 'warning',
): void {
  const all = branchesOf(located, root)
  if (all.length === 0) return
  judgeDescription(located, all, report, severity)
  const untyped = all.find(
    (branch) =>
      (!branch.opaque && typesOf(branch) === undefined) ||
      partWithUnknownType(branch) !== undefined,
  )
  if (untyped !== undefined) judgeType(located, untyped, report, severity)
  else
    judgeBounds(
      located,
      all.filter((branch) => !isNull(branch) && !branch.opaque),
      root,
      report,
      severity,
    )
}

function judgeDescription(
  { path }: LocatedSchema,
  branches: readonly SchemaBranch[],
  report: ReportFinding,
  severity: 'error' | 'warning',
): void {
  const wrong = branches
    .flatMap(({ parts }) => parts)
    .find(({ schema }) => !['string', 'undefined'].includes(typeof schema.description))
  if (wrong !== undefined)
    return report(
      'field-description',
      childPath(wrong.path, 'description'),
      `is ${preview(wrong.schema.description)}, not a description`,
      describeField,
      severity,
    )
  if (
    branches.some(
      ({ opaque, parts }) => opaque || parts.some(({ schema }) => isNotBlank(schema.description)),
    )
  )
    return
  report('field-description', path, 'has no description', describeField, severity)
}

/** Finds the first part with a type that JSON Schema does not define. */
const partWithUnknownType = ({ parts }: SchemaBranch) =>
  parts.find(
    ({ schema }) =>
      'type' in schema && ![schema.type].flat().some((type) => jsonTypes.includes(type as string)),
  )

function judgeType(
  { path }: LocatedSchema,
  branch: SchemaBranch,
  report: ReportFinding,
  severity: 'error' | 'warning',
): void {
  const named = partWithUnknownType(branch)
  const problem =
    named === undefined
      ? 'has no type'
      : `has the type ${preview(named.schema.type)}, which JSON Schema does not define`
  report(
    'field-type',
    named === undefined ? (branch.parts.at(-1)?.path ?? path) : childPath(named.path, 'type'),
    problem,
    partRules['field-type'].fix,
    severity,
  )
}

function judgeBounds(
  { path }: LocatedSchema,
  branches: readonly SchemaBranch[],
  root: LocatedSchema,
  report: ReportFinding,
  severity: 'error' | 'warning',
): void {
  const cases = branches.flatMap((branch) =>
    (typesOf(branch) ?? [])
      .filter((type) => type !== 'null')
      .map((type) => ({ type, bounded: isBounded(branch, type, root) })),
  )
  const unbounded = [...new Set(cases.filter(({ bounded }) => !bounded).map(({ type }) => type))]
  if (unbounded.length === 0) return
  // If one type of a field has bounds, missing bounds of its other types are only a warning.
  const isPartlyBounded = cases.some(({ bounded }) => bounded)
  const names = unbounded.map((type) => `${/^[ai]/.test(type) ? 'an' : 'a'} ${type}`).join(' or ')
  const problem = isPartlyBounded
    ? `has no constraint if it is ${names}`
    : `is ${names} without a constraint`
  report(
    'field-constraint',
    path,
    problem,
    `bound it with ${suggestedKeywords[unbounded[0] ?? ''] ?? 'an enum'}`,
    isPartlyBounded ? 'warning' : severity,
  )
}

/**
 * Whether a part of a branch constrains values of a type. Ignores references, `allOf`, `anyOf` and
 * `oneOf`: the schemas that they contain are already parts of the branch.
 */
function isBounded(branch: SchemaBranch, type: string, root: LocatedSchema): boolean {
  return (
    branch.parts.some(({ schema }) => {
      const { $ref: _, allOf: __, anyOf: ___, oneOf: ____, items: _____, ...keywords } = schema
      return validateConstraint({ ...keywords, type })
    }) ||
    (type === 'array' && hasBoundedItems(branch, root))
  )
}

function hasBoundedItems({ parts }: SchemaBranch, root: LocatedSchema): boolean {
  return parts.some(({ schema, path }) => {
    if (!('items' in schema)) return false
    const branches = branchesOf({ schema: schema.items, path: childPath(path, 'items') }, root)
    return branches.every(
      (branch) =>
        branch.opaque || (typesOf(branch)?.every((type) => isBounded(branch, type, root)) ?? false),
    )
  })
}

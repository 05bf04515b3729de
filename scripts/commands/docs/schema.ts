import { markup, type Child, type Markup } from '../../../conformance/report/html/markup.ts'
import { requirements, type RequirementId } from '../../../generated/requirements/index.ts'
import type { Links } from './links.ts'
import {
  isObject,
  listOf,
  objectAt,
  ownRequirements,
  requirementsIn,
  sample,
  stringAt,
  tableOf,
  type DocumentedDefinition,
  type SpecObject,
} from './definitions.ts'

/** The anchor of a schema. */
export const schemaAnchor = (name: string): string => `schema-${name}`

/** The name at the end of a reference: `#/components/schemas/Image` or `ToolName.json`. */
export const nameOfRef = (ref: string): string => /([^/]+?)(?:\.json)?$/.exec(ref)![1]!

const linkToSchema = (ref: string): Markup => {
  const name = nameOfRef(ref)
  return markup`<a href="#${schemaAnchor(name)}">${name}</a>`
}

/** A schema with its fields, its examples, and its source. */
export function schemaEntry(
  name: string,
  schema: SpecObject,
  links: Links,
  samples: readonly (readonly [name: string, value: unknown])[] = [],
): DocumentedDefinition {
  const own = Array.isArray(schema['examples']) ? (schema['examples'] as unknown[]) : []
  const description = stringAt(schema, 'description')
  return {
    id: schemaAnchor(name),
    name,
    summary: firstSentence(description),
    requirements: requirementsIn(schema),
    content: markup`${schemaMarkup(schema, links)}
${own.map((value, index) => sample(own.length === 1 ? `Example of ${name}` : `Example ${index + 1} of ${name}`, value))}${samples.map(([title, value]) => sample(title, value))}${sample(`JSON Schema of ${name}`, schema)}`,
  }
}

const firstSentence = (text: string): string => /^.*?\.(?=\s|$)/.exec(text)?.[0] ?? text

/** The description of a schema, its value, and a table of its fields. */
export function schemaMarkup(schema: SpecObject, links: Links): Markup {
  const lines = fieldLines(schema, links, '')
  const description = stringAt(schema, 'description')
  const facts = lines.length === 0 ? [typeOf(schema), ...constraints(schema)] : []
  return markup`${description === '' ? '' : markup`<p>${links.prose(description)}</p>\n`}${
    lines.length === 0
      ? markup`<p>Value: ${facts.map((fact, index) => (index === 0 ? fact : ['; ', fact]))}</p>\n`
      : basesOf(schema)
  }${ownRequirements(schema, links).length === 0 ? '' : markup`<p class="soft">Requirements: ${ownRequirements(schema, links)}</p>\n`}${tableOf(`Fields of ${stringAt(schema, 'title') || 'the object'}`, ['field', 'type', 'description'], lines)}`
}

/** The schemas that a schema extends or consists of. */
function basesOf(schema: SpecObject): Child {
  const refs = (key: string) =>
    (Array.isArray(schema[key]) ? (schema[key] as unknown[]) : []).flatMap((part) =>
      isObject(part) && typeof part['$ref'] === 'string' ? [linkToSchema(part['$ref'])] : [],
    )
  const all = refs('allOf')
  return all.length === 0
    ? ''
    : markup`<p>Has the fields of ${listOf(all, 'and')}, and these:</p>\n`
}

/** A line for each field. Fields of nested objects follow their parent. */
function fieldLines(schema: SpecObject, links: Links, prefix: string): (readonly Child[])[] {
  const required = Array.isArray(schema['required']) ? (schema['required'] as string[]) : []
  const own = Object.entries(objectAt(schema, 'properties')).flatMap(([name, field]) => {
    const path = `${prefix}${name}`
    if (field === false) return [[markup`<code>${path}</code>`, 'must be absent', '']]
    if (!isObject(field)) return []
    const items = objectAt(field, 'items')
    return [
      [
        markup`<code>${path}</code>${required.includes(name) ? markup` <span class="soft">${isRecommended(field) ? 'recommended' : 'required'}</span>` : ''}`,
        typeOf(field),
        fieldDescription(field, links),
      ],
      ...fieldLines(field, links, `${path}.`),
      ...fieldLines(items, links, `${path}[].`),
    ]
  })
  const parts = Array.isArray(schema['allOf']) ? (schema['allOf'] as unknown[]) : []
  return [
    ...parts.flatMap((part) => (isObject(part) ? fieldLines(part, links, prefix) : [])),
    ...own,
  ]
}

/** Whether the absence of a field is only a warning, although its schema requires the field. */
function isRecommended(field: SpecObject): boolean {
  const presence = stringAt(field, 'x-requirement-presence')
  return presence in requirements && requirements[presence as RequirementId].level !== 'must'
}

function fieldDescription(field: SpecObject, links: Links): Markup {
  const description = stringAt(field, 'description')
  const all = constraints(field)
  const named = ownRequirements(field, links)
  return markup`${description === '' ? '' : markup`<p>${links.prose(description)}</p>`}${all.length === 0 ? '' : markup`<p>${all.map((one, index) => [index === 0 ? '' : '; ', one])}</p>`}${named.length === 0 ? '' : markup`<p class="soft">${named}</p>`}`
}

/** The type of a value, in words. */
export function typeOf(schema: unknown): Child {
  if (schema === true) return 'any value'
  if (schema === false) return 'must be absent'
  if (!isObject(schema)) return 'any value'
  if (typeof schema['$ref'] === 'string') return linkToSchema(schema['$ref'])
  if ('const' in schema) return markup`<code>${JSON.stringify(schema['const'])}</code>`
  const { type } = schema
  if (type === 'array')
    return 'items' in schema ? markup`array of ${typeOf(schema['items'])}` : 'array'
  if (typeof type === 'string') return type
  if (Array.isArray(type)) return listOf(type as string[])
  for (const key of ['allOf', 'oneOf', 'anyOf']) {
    const parts = (Array.isArray(schema[key]) ? (schema[key] as unknown[]) : []).filter(
      (part) => isObject(part) && ['$ref', 'type', 'const', 'enum'].some((word) => word in part),
    )
    if (parts.length > 0) return listOf(parts.map(typeOf), key === 'allOf' ? 'and' : 'or')
  }
  if (objectAt(schema, 'not')['type'] === 'null') return 'any value except null'
  return 'any value'
}

/** What a schema requires of a value in addition to its type, in words. */
function constraints(schema: SpecObject): Child[] {
  const found: Child[] = []
  const value = (key: string) => markup`<code>${JSON.stringify(schema[key])}</code>`
  const has = (key: string) => schema[key] !== undefined
  if (Array.isArray(schema['enum']))
    found.push([
      'one of ',
      listOf(schema['enum'].map((one) => markup`<code>${JSON.stringify(one)}</code>`)),
    ])
  if (has('x-expected')) found.push(`expected: ${stringAt(schema, 'x-expected')}`)
  else if (has('pattern')) found.push(markup`matches <code>${stringAt(schema, 'pattern')}</code>`)
  for (const [low, high, unit] of [
    ['minimum', 'maximum', ''],
    ['minLength', 'maxLength', ' characters'],
    ['minItems', 'maxItems', ' items'],
  ] as const) {
    if (has(low) && has(high)) found.push([value(low), ' to ', value(high), unit])
    else if (has(low)) found.push(['at least ', value(low), unit])
    else if (has(high)) found.push(['at most ', value(high), unit])
  }
  if (has('format')) found.push(`format: ${stringAt(schema, 'format')}`)
  if (has('contentMediaType')) found.push(`contains ${stringAt(schema, 'contentMediaType')}`)
  if (schema['uniqueItems'] === true) found.push('no item twice')
  if (has('default')) found.push(['default ', value('default')])
  return found
}

// Input models: one table per tool gives both the published JSON Schema and the check that runs
// before the tool does, so that the two cannot disagree.
import { on } from './switches.mjs'

export const common = {
  response_format: {
    type: 'string',
    enum: ['markdown', 'json'],
    default: 'markdown',
    description: 'Output format: markdown for reading, json for complete data.',
  },
  limit: {
    type: 'integer',
    minimum: 1,
    maximum: 100,
    default: 20,
    description: 'Most items to return.',
  },
  offset: { type: 'integer', minimum: 0, default: 0, description: 'Items to skip.' },
}

export function published(tool) {
  const properties = {}
  for (const [name, rule] of Object.entries(tool.input)) {
    const p = (properties[name] = { ...rule })
    if (on('schema-with-titles'))
      p.title = name.replace(/_/g, ' ').replace(/^./, (c) => c.toUpperCase())
    if (on('schema-limit-without-maximum') && name === 'limit') delete p.maximum
    if (on('schema-field-without-description') && name === 'offset') delete p.description
    if (on('schema-says-limit-is-string') && name === 'limit') p.type = 'string'
    if (on('schema-default-differs') && name === 'limit') p.default = 25
    if (on('schema-pattern-lost') && name === 'accession_id') delete p.pattern
  }
  const schema = { type: 'object', properties }
  if (on('schema-with-dialect')) schema.$schema = 'https://json-schema.org/draft/2020-12/schema'
  if (on('schema-with-defs') && properties.response_format) {
    schema.$defs = {
      ResponseFormat: { type: 'string', enum: ['markdown', 'json'], description: 'Output format.' },
    }
    properties.response_format = {
      $ref: '#/$defs/ResponseFormat',
      default: 'markdown',
      description: common.response_format.description,
    }
  }
  if (tool.required?.length) schema.required = tool.required
  if (on('schema-required-forgotten') && tool.kind === 'create') delete schema.required
  if (!on('extra-fields-ignored')) schema.additionalProperties = false
  return schema
}

// JSON Schema counts characters, not UTF-16 units.
const length = (s) => (on('query-length-in-utf16-units') ? s.length : [...s].length)

export function check(tool, given) {
  const errors = []
  const value = {}
  for (const name of Object.keys(given)) {
    if (Object.hasOwn(tool.input, name) || on('extra-fields-ignored')) continue
    if (on('create-takes-unknown-fields') && tool.kind === 'create') continue
    errors.push(`${name} is not a known field`)
  }
  for (const [name, rule] of Object.entries(tool.input)) {
    let v = Object.hasOwn(given, name) ? given[name] : undefined
    if (v === null && on('null-taken-as-default') && 'default' in rule) v = undefined
    if (v === undefined) {
      if (tool.required?.includes(name)) errors.push(`${name} is required`)
      else if ('default' in rule) value[name] = defaultOf(tool, name, rule)
      continue
    }
    const [cleaned, problem] = one(tool, name, rule, v)
    if (problem) errors.push(`${name} ${problem}`)
    else value[name] = cleaned
  }
  if (
    on('only-first-field-checked') &&
    errors.length &&
    !errors.some(
      (e) =>
        e.startsWith(Object.keys(tool.input)[0]) ||
        e.endsWith('known field') ||
        e.endsWith('required'),
    )
  ) {
    for (const [n, v] of Object.entries(given)) if (!(n in value)) value[n] = v
    errors.length = 0
  }
  if (!errors.length && tool.atLeastOne && !tool.atLeastOne.some((n) => n in value))
    errors.push(`one of ${tool.atLeastOne.join(', ')} is required`)
  return { value, errors }
}

function defaultOf(tool, name, rule) {
  if (on('search-default-format-json') && name === 'response_format' && tool.kind === 'search')
    return 'json'
  if (on('list-default-limit-10') && name === 'limit' && tool.kind === 'list') return 10
  return rule.default
}

function one(tool, name, rule, v) {
  if (rule.type === 'integer') return integer(tool, name, rule, v)
  if (rule.type === 'boolean') return typeof v === 'boolean' ? [v] : [v, 'must be a boolean']
  if (rule.type === 'array') {
    if (!Array.isArray(v)) return [v, 'must be an array']
    const most = on('eleven-tags-taken') ? 11 : on('ten-tags-refused') ? 9 : rule.maxItems
    if (v.length > most) return [v, `must have at most ${rule.maxItems} items`]
    const out = []
    for (const item of v) {
      if (on('tag-items-not-checked')) {
        out.push(item)
        continue
      }
      const [cleaned, problem] = one(tool, name, rule.items, item)
      if (problem) return [v, `items: ${problem}`]
      out.push(cleaned)
    }
    return [out]
  }
  return text(tool, name, rule, v)
}

function integer(tool, name, rule, v) {
  if (typeof v !== 'number') return [v, 'must be an integer']
  if (!Number.isInteger(v))
    return on('fraction-limit-rounded') && name === 'limit'
      ? [Math.floor(v)]
      : [v, 'must be an integer']
  if (name === 'limit') {
    if (on('limit-101-taken') && v === 101) return [v]
    if (on('limit-100-refused') && v === 100) return [v, 'must be less than 100']
    if (on('limit-0-taken') && v === 0) return [1]
    if (on('list-limit-clamped') && tool.kind === 'list' && v > 100) return [100]
    if (on('search-limit-not-checked') && tool.kind === 'search') return [Math.max(v, 0)]
  }
  if (name === 'offset' && v < 0 && on('negative-offset-taken-as-0')) return [0]
  if (rule.minimum !== undefined && v < rule.minimum) return [v, `must be at least ${rule.minimum}`]
  if (rule.maximum !== undefined && v > rule.maximum) return [v, `must be at most ${rule.maximum}`]
  return [v]
}

function text(tool, name, rule, v) {
  if (typeof v !== 'string')
    return on('numbers-taken-for-text') && typeof v === 'number'
      ? [String(v)]
      : [v, 'must be a string']
  const cleaned = on('whitespace-kept') ? v : v.trim()
  const measured = on('query-measured-before-stripping') && name === 'query' ? v : cleaned
  let { minLength = 0, maxLength = Infinity } = rule
  if (name === 'query') {
    if (on('query-of-one-character-taken')) minLength = 1
    if (on('query-of-201-taken')) maxLength = 201
    if (on('query-of-200-refused')) maxLength = 199
  }
  if (rule.enum) {
    if (on('format-in-any-case') && rule.enum.includes(cleaned.toLowerCase()))
      return [cleaned.toLowerCase()]
    if (!rule.enum.includes(cleaned))
      return on('unknown-format-taken-as-markdown') && name === 'response_format'
        ? ['markdown']
        : [v, `must be one of ${rule.enum.join(', ')}`]
  }
  const size = name === 'query' ? length(measured) : [...measured].length
  if (size < minLength) return [v, `must have at least ${rule.minLength} characters`]
  if (size > maxLength) {
    if (on('long-name-cut') && name === 'name') return [[...cleaned].slice(0, maxLength).join('')]
    return [v, `must have at most ${rule.maxLength} characters`]
  }
  const pattern =
    rule.pattern && on('pattern-not-anchored') ? rule.pattern.replace(/^\^|\$$/g, '') : rule.pattern
  if (pattern && !new RegExp(pattern, 'u').test(cleaned)) {
    if (on('lowercase-ids-understood') && new RegExp(pattern, 'u').test(cleaned.toUpperCase()))
      return [cleaned.toUpperCase()]
    return [v, `must match ${rule.pattern}`]
  }
  return [cleaned]
}

import { nameOf, sectionOf, type Key, type Keys } from './keys.ts'

const schemaId = 'https://touchstone.example/target.json'

type Schema = Record<string, unknown>

/** What a section of the file cannot do without. A secret may come from the environment. */
function requiredIn(keys: Keys, section: string): string[] {
  return keys.all
    .filter(
      ({ path, required, variable }) =>
        required === true && variable === undefined && sectionOf(path) === section,
    )
    .map(({ path }) => nameOf(path))
}

const kinds: Record<Exclude<Key['kind'], 'word' | 'words'>, Schema> = {
  root: { type: 'string', pattern: '^(https?://[^?#\\s]+|.*\\$\\{.+)$' },
  url: { type: 'string', pattern: '^(https?://[^#\\s]+|.*\\$\\{.+)$' },
  text: { type: 'string', minLength: 1 },
  id: { type: ['string', 'integer'] },
  secret: { type: 'string', minLength: 1 },
  switch: { anyOf: [{ type: 'boolean' }, { $ref: '#/$defs/variable' }] },
  bytes: { anyOf: [{ type: 'integer', minimum: 1 }, { $ref: '#/$defs/variable' }] },
  count: { anyOf: [{ type: 'integer', minimum: 1 }, { $ref: '#/$defs/variable' }] },
  duration: {
    anyOf: [
      { type: 'string', pattern: '^\\d+(\\.\\d+)?(ms|s|m)$' },
      { const: 0 },
      { $ref: '#/$defs/variable' },
    ],
  },
  // HTTP/2 knows small letters only.
  map: {
    type: 'object',
    propertyNames: { pattern: '^[0-9a-zA-Z_.-]+$' },
    additionalProperties: { type: 'string', minLength: 1 },
    minProperties: 1,
  },
  fields: { type: 'object', additionalProperties: { type: 'string' }, minProperties: 1 },
  pem: { type: 'string', minLength: 1 },
  object: { type: 'object' },
  variables: { type: 'object' },
  objects: { type: 'object' },
  texts: { type: 'array', items: { type: 'string' } },
  address: { type: 'string', pattern: '^(\\[[\\da-fA-F:]+\\]|[^\\s:/]+):\\d{1,5}$' },
}

/** The target file's JSON Schema, made from the table of keys. Editors complete and check the file with it. */
export function schemaOf(keys: Keys): Schema {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: schemaId,
    title: 'Target',
    description:
      'What Touchstone judges, and what it may do there. Any value may name a variable of the environment: ${NAME}.',
    ...section(keys, ''),
    $defs: {
      variable: {
        description: 'A variable of the environment.',
        type: 'string',
        pattern: '^\\$\\{[^{}]+\\}$',
      },
    },
  }
}

function section(keys: Keys, path: string): Schema {
  const properties = keys.namesIn(path).map((name): [string, Schema] => {
    const inner = path === '' ? name : `${path}.${name}`
    const key = keys.find(inner)
    return [name, key === undefined ? section(keys, inner) : leaf(key)]
  })
  const must = requiredIn(keys, path)
  return {
    type: must.length === 0 && path !== '' ? ['object', 'null'] : 'object',
    additionalProperties: false,
    ...(must.length === 0 ? {} : { required: must }),
    properties: Object.fromEntries(properties),
  }
}

function leaf({ kind, says, example, fallback, choices }: Key): Schema {
  const typed = (text: string): unknown => {
    if (kind === 'words') return text.slice(1, -1).split(', ')
    return kind === 'map' ||
      kind === 'fields' ||
      kind === 'object' ||
      kind === 'variables' ||
      kind === 'objects' ||
      kind === 'texts' ||
      kind === 'switch' ||
      kind === 'bytes' ||
      kind === 'count' ||
      (kind === 'id' && /^\d+$/.test(text))
      ? JSON.parse(text)
      : text
  }
  const shape: Schema =
    kind === 'word'
      ? { enum: choices }
      : kind === 'words'
        ? { type: 'array', items: { enum: choices }, minItems: 1, uniqueItems: true }
        : kinds[kind]
  return {
    description: `${says[0]!.toUpperCase()}${says.slice(1)}.`,
    ...shape,
    ...(fallback === undefined ? {} : { default: typed(fallback) }),
    examples: [typed(example)],
  }
}

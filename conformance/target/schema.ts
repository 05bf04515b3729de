import { keys, namesIn, type Key } from './keys.ts'

const schemaId = 'https://touchstone.example/target.json'

type Schema = Record<string, unknown>

const required: Record<string, string[]> = { images: ['url', 'account'], 'images.batch': ['url'] }

const kinds: Record<Key['kind'], Schema> = {
  root: { type: 'string', pattern: '^(https?://[^?#\\s]+|.*\\$\\{.+)$' },
  url: { type: 'string', pattern: '^(https?://[^#\\s]+|.*\\$\\{.+)$' },
  text: { type: 'string', minLength: 1 },
  secret: { type: 'string', minLength: 1 },
  switch: { anyOf: [{ type: 'boolean' }, { $ref: '#/$defs/variable' }] },
  bytes: { anyOf: [{ type: 'integer', minimum: 1 }, { $ref: '#/$defs/variable' }] },
  count: { anyOf: [{ type: 'integer', minimum: 1 }, { $ref: '#/$defs/variable' }] },
  duration: { anyOf: [{ type: 'string', pattern: '^\\d+(\\.\\d+)?(ms|s|m)$' }, { const: 0 }, { $ref: '#/$defs/variable' }] },
  address: { type: 'string', pattern: '^(\\[[\\da-fA-F:]+\\]|[^\\s:/]+):\\d{1,5}$' },
}

/** The target file's JSON Schema, made from the table of keys. Editors complete and check the file with it. */
export function targetSchema(): Schema {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: schemaId,
    title: 'Target',
    description: 'What Touchstone judges, and what it may do there. Any value may name a variable of the environment: ${NAME}.',
    ...section(''),
    $defs: { variable: { description: 'A variable of the environment.', type: 'string', pattern: '^\\$\\{[^{}]+\\}$' } },
  }
}

function section(path: string): Schema {
  const properties = namesIn(path).map((name): [string, Schema] => {
    const inner = path === '' ? name : `${path}.${name}`
    const key = keys.find((candidate) => candidate.path === inner)
    return [name, key === undefined ? section(inner) : leaf(key)]
  })
  const must = required[path]
  return {
    type: must === undefined && path !== '' ? ['object', 'null'] : 'object',
    additionalProperties: false,
    ...(must === undefined ? {} : { required: must }),
    properties: Object.fromEntries(properties),
  }
}

function leaf({ kind, says, example, fallback }: Key): Schema {
  const typed = (text: string): unknown => (kind === 'switch' || kind === 'bytes' || kind === 'count' ? JSON.parse(text) : text)
  return {
    description: `${says[0]!.toUpperCase()}${says.slice(1)}.`,
    ...kinds[kind],
    ...(fallback === undefined ? {} : { default: typed(fallback) }),
    examples: [typed(example)],
  }
}

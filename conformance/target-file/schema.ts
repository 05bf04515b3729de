import { nameOf, sectionOf, type Key, type Keys } from './keys.ts'
import { kinds, type KeySchema } from './kinds.ts'

const schemaId = 'https://touchstone.example/target.json'

/**
 * The keys that the file must contain in a section. Omits required keys that have an environment
 * variable (`variable`), because the value may be in that variable and not in the file.
 */
function requiredIn(keys: Keys, section: string): string[] {
  return keys.all
    .filter(
      ({ path, required, variable }) =>
        required === true && variable === undefined && sectionOf(path) === section,
    )
    .map(({ path }) => nameOf(path))
}

/**
 * The JSON Schema of the target file, generated from the keys. Editors use it to complete and
 * validate the file.
 */
export function schemaOf(keys: Keys): KeySchema {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: schemaId,
    title: 'Target',
    description:
      'The implementation that Touchstone tests, and what the suite may do there. Any value may contain an environment variable: ${NAME}.',
    ...section(keys, ''),
    $defs: {
      variable: {
        description: 'An environment variable.',
        type: 'string',
        pattern: '^\\$\\{[^{}]+\\}$',
      },
    },
  }
}

function section(keys: Keys, path: string): KeySchema {
  const properties = keys.namesIn(path).map((name): [string, KeySchema] => {
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

function leaf({ kind, description, example, fallback, choices = [] }: Key): KeySchema {
  const { schema, parse = (text: string) => text, example: toTyped = parse } = kinds[kind]
  return {
    description: `${description[0]!.toUpperCase()}${description.slice(1)}.`,
    ...schema(choices),
    ...(fallback === undefined ? {} : { default: toTyped(fallback) }),
    examples: [toTyped(example)],
  }
}

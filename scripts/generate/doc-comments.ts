import type { AnyJson } from './openapi.ts'
import { literal } from './output.ts'

const columns = 100
/**
 * Maximum number of members of an object in an example. Of a longer object, the first ones are
 * shown.
 */
const maxMembers = 8

/** Returns a doc comment whose text is wrapped, and whose examples are kept as they are. */
export function docComment(text: string, ...examples: readonly string[][]): string {
  const lines = [
    ...wrap(text.trim(), columns - ' * '.length),
    ...examples.flatMap((lines) => ['', '@example', ...lines]),
  ]
  return ['/**', ...lines.map((line) => ` * ${line}`.trimEnd()), ' */'].join('\n')
}

/** The doc comment of the type of a schema. `example` is a value that it describes. */
export function typeComment(
  name: string,
  schemas: { [name: string]: AnyJson },
  example: unknown,
): string {
  const schema = schemas[name]!
  const text = schema.description as string | undefined
  if (text === undefined) throw new Error(`The schema ${name} has no description`)
  if (example === undefined) throw new Error(`No example of the contract shows ${name}`)
  const variable = name[0]!.toLowerCase() + name.slice(1)
  const { lines, isWhole } = declaredValue(schema, schemas, example)
  const type = isWhole ? name : `Partial<${name}>`
  return docComment(text, [`const ${variable}: ${type} = ${lines[0]}`, ...lines.slice(1)])
}

/** The doc comment of the validator of a schema. */
export function validatorComment(name: string): string {
  return docComment(
    `Returns whether a value is a valid ${name}. If it is not, \`validate${name}.errors\` lists why.`,
    [`if (!validate${name}(value)) console.error(validate${name}.errors)`],
  )
}

/**
 * An expression for a value, without members that its type does not declare. Of a long object, it
 * contains only the first members, and none that is too long for a line.
 */
function declaredValue(
  schema: AnyJson,
  schemas: { [name: string]: AnyJson },
  value: unknown,
): { lines: string[]; isWhole: boolean } {
  const short = literal(value)
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { lines: [short], isWhole: true }
  const declared = propertiesOf(schema, schemas)
  const members = Object.entries(value)
    .filter(([key]) => declared === undefined || key in declared)
    .map(([key, member]) =>
      declared?.[key]?.format === 'binary'
        ? `  ${key}: new Blob([bytes]),`
        : `  ${literal({ [key]: member }).slice(2, -2)},`,
    )
  const shown = members.filter((line) => line.length <= columns - ' * '.length).slice(0, maxMembers)
  return { lines: ['{', ...shown, '}'], isWhole: shown.length === members.length }
}

/** The properties of a schema, or of the schemas that it refers to. Undefined if it has none. */
function propertiesOf(
  schema: AnyJson,
  schemas: { [name: string]: AnyJson },
): { [key: string]: AnyJson } | undefined {
  const parts = [
    ...(schema.allOf ?? []),
    ...(schema.oneOf ?? []),
    ...(schema.anyOf ?? []),
  ] as AnyJson[]
  const all = [
    schema.properties as AnyJson | undefined,
    ...parts.map((part) =>
      propertiesOf(
        typeof part.$ref === 'string' ? schemas[part.$ref.split('/').at(-1)!]! : part,
        schemas,
      ),
    ),
  ].filter((properties) => properties !== undefined)
  if (all.length === 0) return undefined
  // Omits properties with the schema `false`, by which one branch forbids a property of another.
  return Object.fromEntries(
    all.flatMap((properties) =>
      Object.entries(properties).filter(([, member]) => member !== false),
    ),
  )
}

function wrap(text: string, width: number): string[] {
  const lines: string[] = []
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + 1 + word.length <= width)
      lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines
}

import type { AnyJson } from './openapi.ts'
import { literal } from './output.ts'

const columns = 100
/** An object in an example shows at most this many members: the first ones. */
const maxMembers = 8

/** Returns a doc comment. Wraps the text, but not the examples. */
export function docComment(text: string, ...examples: readonly string[][]): string {
  const lines = [
    ...wrap(text.trim(), columns - ' * '.length),
    ...examples.flatMap((lines) => ['', '@example', ...lines]),
  ]
  return ['/**', ...lines.map((line) => ` * ${line}`.trimEnd()), ' */'].join('\n')
}

/**
 * Returns the doc comment of the type of a schema. `example` is a value of that type. Throws if
 * there is no example or the schema has no description.
 */
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

/** Returns the doc comment of the validator of a schema. */
export function validatorComment(name: string): string {
  return docComment(
    `Returns whether a value is a valid ${name}. If it is not, \`validate${name}.errors\` lists why.`,
    [`if (!validate${name}(value)) console.error(validate${name}.errors)`],
  )
}

/**
 * Returns an expression for a value. Omits members that its type does not declare, that are too
 * long for a line, or that come after the first `maxMembers`. `isWhole` is false if a declared
 * member was omitted.
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

/**
 * Returns the properties of a schema and of its allOf, oneOf and anyOf branches. Undefined if there
 * are none.
 */
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
  // A branch can forbid a property of another branch with the schema `false`, which is omitted.
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

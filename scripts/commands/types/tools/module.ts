import { UsageError } from '../../../print-error.ts'
import { marker } from '../contract-files.ts'
import { guardCode, SchemaError } from './guards.ts'
import { prefixesOf } from './names.ts'
import { componentsOf, type ToolSchema } from './schemas.ts'

/** A tool whose types can be generated. */
interface TypedTool {
  name: string
  description: string | undefined
  /** The name of the type of the arguments. */
  arguments: string
  /** The name of the type of the results; undefined if the tool has no output schema. */
  result: string | undefined
  components: Map<string, ToolSchema>
  /** Code of guards, by the name of the type. */
  guards: Map<string, string>
}

/** A generated module, and the tools that it does not contain, with the reasons. */
export interface ToolsModule {
  text: string
  tools: string[]
  skipped: { tool: string; reason: string }[]
}

/**
 * Generates a TypeScript module with the types of the arguments and results of tools, and a type
 * guard for each type. `definitions` is the `tools` of a tools/list result. It is untrusted:
 * nothing in it becomes code. Rejects with a `UsageError` if a package that the generator needs is
 * not installed.
 */
export async function toolsModule(
  definitions: readonly unknown[],
  source: string,
): Promise<ToolsModule> {
  const named = new Map<string, Record<string, unknown>>()
  const skipped: ToolsModule['skipped'] = []
  for (const definition of definitions) {
    const { name } = (definition ?? {}) as Record<string, unknown>
    if (typeof name !== 'string' || name === '')
      skipped.push({ tool: 'a tool without a name', reason: 'tools are called by their names' })
    else if (named.has(name)) skipped.push({ tool: name, reason: 'another tool has the same name' })
    else named.set(name, definition as Record<string, unknown>)
  }
  const prefixes = prefixesOf([...named.keys()].sort())
  const tools: TypedTool[] = []
  for (const [name, definition] of [...named].sort(([one], [other]) => (one < other ? -1 : 1))) {
    try {
      tools.push(typedTool(name, prefixes.get(name)!, definition))
    } catch (error) {
      if (!(error instanceof SchemaError)) throw error
      skipped.push({ tool: name, reason: error.message })
    }
  }
  return {
    text: await moduleText(tools, source),
    tools: tools.map(({ name }) => name),
    skipped,
  }
}

function typedTool(
  name: string,
  prefix: string,
  { inputSchema, outputSchema, description }: Record<string, unknown>,
): TypedTool {
  const components = new Map<string, ToolSchema>()
  const guards = new Map<string, string>()
  const add = (type: string, schema: unknown, member: string) => {
    if (typeof schema !== 'object' || schema === null)
      throw new SchemaError(`its ${member} is not a JSON Schema`)
    try {
      guards.set(type, guardCode(schema as ToolSchema))
    } catch (error) {
      throw new SchemaError(`its ${member} cannot be compiled: ${(error as Error).message}`)
    }
    for (const [component, rewritten] of componentsOf(type, schema as ToolSchema))
      components.set(component, rewritten)
    return type
  }
  return {
    name,
    description: typeof description === 'string' ? description : undefined,
    arguments: add(`${prefix}Arguments`, inputSchema ?? { type: 'object' }, 'inputSchema'),
    result:
      outputSchema === undefined ? undefined : add(`${prefix}Result`, outputSchema, 'outputSchema'),
    components,
    guards,
  }
}

const preamble = `/** Why a value is refused, as Ajv reports it. */
export interface GuardError {
  /** The JSON Pointer of the part that is wrong. */
  readonly instancePath: string
  readonly keyword: string
  readonly message?: string
}

/** Whether a value has the type T. Formats, such as date-time, are not examined. */
export interface Guard<T> {
  (value: unknown): value is T
  /** Why the last value was refused. */
  readonly errors?: readonly GuardError[] | null
}
`

async function moduleText(tools: readonly TypedTool[], source: string): Promise<string> {
  const components = new Map(tools.flatMap((tool) => [...tool.components]))
  const parts = [
    // The code of guards has no types, so TypeScript must not check it. The user's linters must not
    // check its style.
    `// @ts-nocheck ${marker} from ${source}. Do not edit: run it again.\n/* eslint-disable -- generated */\n`,
    await typesOf(components),
    preamble,
    ...tools.map(
      (tool) =>
        `/** The arguments of the tool ${commentOf(tool.name)}.${tool.description === undefined ? '' : ` ${commentOf(tool.description)}`} */\n${typeLine(tool.arguments)}${tool.result === undefined ? '' : `/** The structured content of the results of the tool ${commentOf(tool.name)}. */\n${typeLine(tool.result)}`}`,
    ),
    `/** The arguments and the structured content of the results of each tool, by its name. */\nexport interface Tools {\n${tools
      .map(
        (tool) =>
          `  ${JSON.stringify(tool.name)}: { arguments: ${tool.arguments}; result: ${tool.result ?? 'unknown'} }\n`,
      )
      .join('')}}\n`,
    `export type ToolName = keyof Tools\n`,
    ...tools.flatMap(({ guards }) =>
      [...guards].map(([type, code]) => `export const is${type}: Guard<${type}> = ${code}\n`),
    ),
  ]
  return withoutSeparators(parts.join('\n'))
}

const typeLine = (type: string) => `export type ${type} = components['schemas']['${type}']\n`

/**
 * Escapes U+2028 and U+2029, which some programs treat as line ends. They occur only in strings and
 * comments of the generated code.
 */
const withoutSeparators = (code: string): string =>
  code.replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')

/** Returns a string as one line that cannot end a comment. */
const commentOf = (text: string): string =>
  text
    .replace(/[\s\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ')
    .replaceAll('*/', '*\\/')
    .trim()

/** Returns the TypeScript declarations of the components. */
async function typesOf(components: Map<string, ToolSchema>): Promise<string> {
  if (components.size === 0) return ''
  const { default: openapiTS, astToString } = await import('openapi-typescript').catch(() => {
    throw new UsageError(
      '--tools-from needs the packages openapi-typescript and typescript.\nNext: npm install --save-dev openapi-typescript typescript',
    )
  })
  const nodes = await openapiTS(
    {
      openapi: '3.1.0',
      info: { title: 'tools', version: '1' },
      paths: {},
      components: { schemas: Object.fromEntries(components) as never },
    },
    { silent: true, defaultNonNullable: false },
  )
  return astToString(
    nodes.filter(
      (node) => 'name' in node && (node.name as { text?: string }).text === 'components',
    ),
  )
}

import { isObject } from '../../../../mocks/stateful/http/body.ts'
import type { ToolsMiddleware } from '../../../../mocks/stateful/tools/call.ts'
import type { Definition } from '../../../../mocks/stateful/tools/protocol.ts'
import { defaultRules, type ToolsRules } from '../../../../mocks/stateful/tools/rules.ts'
import type { ToolsFactor } from './variation.ts'

type Schema = Record<string, unknown>

/** Changes the schemas of all fields of a definition, wherever it has them. */
function withFields(
  definition: Definition,
  change: (fields: Record<string, Schema>, root: Schema) => Record<string, Schema>,
): Definition {
  const { inputSchema } = structuredClone(definition)
  const { $defs, properties } = inputSchema as {
    $defs?: { Arguments?: Schema }
    properties?: Record<string, Schema>
  }
  const nested = properties?.['params']
  const holder =
    $defs?.Arguments ?? (nested !== undefined && 'properties' in nested ? nested : inputSchema)
  holder['properties'] = change((holder['properties'] ?? {}) as Record<string, Schema>, inputSchema)
  return { ...definition, inputSchema }
}

/** As models of Python are told: titles, references to lists of values, null beside whatever may be left out. */
const asModels = (definition: Definition): Definition =>
  withFields(definition, (fields, root) => {
    const { response_format: format, ...others } = fields
    root['$defs'] = {
      ...(root['$defs'] as object | undefined),
      ResponseFormat: { enum: ['markdown', 'json'], title: 'ResponseFormat', type: 'string' },
    }
    const required = ['id', 'query', 'topic', 'book_id', 'reader_id']
    const told = Object.entries(others).map(
      ([name, { description, ...schema }]) =>
        [
          name,
          {
            ...('default' in schema || required.includes(name)
              ? schema
              : { anyOf: [schema, { type: 'null' }], default: null }),
            description,
            title: name,
          },
        ] as const,
    )
    return {
      ...Object.fromEntries(told),
      ...(format === undefined
        ? {}
        : {
            response_format: {
              $ref: '#/$defs/ResponseFormat',
              default: 'markdown',
              description: format['description'],
            },
          }),
    }
  })

/** Takes null for what is left out. */
const takesNull: ToolsMiddleware = (call, next) => {
  if (isObject(call.rawArguments))
    call.rawArguments = Object.fromEntries(
      Object.entries(call.rawArguments).filter(([, value]) => value !== null),
    )
  return next()
}

/** As some generators write schemas: each constraint in a part of its own. */
const inParts = (definition: Definition): Definition =>
  withFields(definition, (fields) =>
    Object.fromEntries(
      Object.entries(fields).map(([name, { type, description, default: given, ...bounds }]) => [
        name,
        {
          description,
          allOf: [{ type }, bounds],
          ...(given === undefined ? {} : { default: given }),
        },
      ]),
    ),
  )

const lacking =
  (...names: string[]) =>
  (definition: Definition): Definition =>
    withFields(definition, (fields) =>
      Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name))),
    )

const bounded =
  (bounds: Schema) =>
  (definition: Definition): Definition =>
    withFields(definition, (fields) =>
      fields['query'] === undefined
        ? fields
        : { ...fields, query: { type: 'string', description: 'What is sought.', ...bounds } },
    )

/** Takes queries that are right, whatever the shelf makes of them. */
const queried =
  (isRight: (query: string) => boolean): ToolsRules['validate'] =>
  (tool, given, choices) => {
    if (
      !tool.name.endsWith('search_books') ||
      !isObject(given) ||
      typeof given['query'] !== 'string'
    )
      return defaultRules.validate(tool, given, choices)
    const query = given['query'].trim()
    if (!isRight(query)) return { problems: ['query is not one of those that are taken'] }
    const found = defaultRules.validate(tool, { ...given, query: 'the' }, choices)
    return 'args' in found ? { args: { ...found.args, query } } : found
  }

/** What the document leaves open of the input of tools. */
export const input: readonly ToolsFactor[] = [
  {
    requirement: 'TOOL-CALL-05',
    name: 'place of arguments',
    levels: [
      { name: 'top', description: 'Takes arguments at the top.' },
      {
        name: 'params',
        description: 'Takes all arguments in one field, params.',
        choices: { nestedParams: 'inline' },
      },
      {
        name: 'params by reference',
        description: 'Takes all arguments in one field, params, whose schema it refers to.',
        choices: { nestedParams: 'referred' },
      },
    ],
  },
  {
    requirement: 'form',
    name: 'dialect of input schemas',
    levels: [
      { name: 'none', description: 'Does not tell the dialect of its schemas.' },
      {
        name: '2020-12',
        description: 'Tells that its schemas are of 2020-12.',
        choices: { dialect: '2020-12' },
      },
      {
        name: 'draft-07',
        description: 'Tells that its schemas are of draft 7.',
        choices: { dialect: 'draft-07' },
      },
    ],
  },
  {
    requirement: 'TOOL-INPUT-04',
    name: 'fields that no tool knows',
    levels: [
      { name: 'refused', description: 'Refuses fields that a tool does not know.' },
      {
        name: 'allowed',
        description: 'Tells that there may be further fields, and passes by them.',
        choices: { extraInput: 'allowed' },
      },
      {
        name: 'passed by',
        description: 'Tells that there may be none, and passes by them all the same.',
        choices: { extraInput: 'ignored' },
      },
    ],
  },
  {
    requirement: 'TOOL-INPUT-05',
    name: 'whitespace around strings',
    levels: [
      { name: 'stripped', description: 'Strips whitespace around strings.' },
      { name: 'kept', description: 'Keeps whitespace around strings.', choices: { strips: false } },
    ],
  },
  {
    requirement: 'TOOL-QUERY-02',
    name: 'bounds of queries',
    levels: [
      { name: '2 to 200', description: 'Takes queries of 2 to 200 characters.' },
      {
        name: '1 to 500',
        description: 'Takes queries of 1 to 500 characters.',
        deviation: {
          definition: bounded({ minLength: 1, maxLength: 500 }),
          rules: { validate: queried(({ length }) => length >= 1 && length <= 500) },
        },
      },
      {
        name: 'words',
        notCombined: true,
        description: 'Takes queries of up to five words, as a pattern tells.',
        deviation: {
          definition: bounded({ pattern: '^\\w+( \\w+){0,4}$' }),
          rules: { validate: queried((query) => /^\w+( \w+){0,4}$/.test(query)) },
        },
      },
      {
        name: 'without tags',
        notCombined: true,
        description: 'Has a search that takes no tags.',
        deviation: { definition: lacking('tags') },
      },
    ],
  },
  {
    requirement: 'TOOL-INVALID-09',
    name: 'refusals of input',
    levels: [
      { name: 'a result', description: 'Refuses input by a result that is marked as an error.' },
      {
        name: 'an error',
        description: 'Refuses input by the error -32602.',
        choices: { invalidInput: 'error' },
      },
      {
        name: 'a text',
        notCombined: true,
        description: 'Refuses input by a text alone.',
        deviation: {
          before: async (call, next) => {
            const { isError, ...rest } = await next()
            const { rules, choices } = call.server
            const isInvalid = 'problems' in rules.validate(call.tool, call.rawArguments, choices)
            return isError === true && !isInvalid ? { ...rest, isError } : rest
          },
        },
      },
    ],
  },
  {
    requirement: 'form',
    name: 'form of input schemas',
    levels: [
      { name: 'plain', description: 'Writes the schema of each field in one piece.' },
      {
        name: 'as models',
        description: 'Writes schemas as models of Python do, with titles, references and null.',
        deviation: { definition: asModels, before: takesNull },
      },
      {
        name: 'in parts',
        notCombined: true,
        description: 'Writes each constraint in a part of its own.',
        deviation: { definition: inParts },
      },
    ],
  },
  {
    requirement: 'form',
    name: 'common fields',
    levels: [
      {
        name: 'all',
        description: 'Has limit, offset and response_format wherever they are of use.',
      },
      {
        name: 'no pages',
        notCombined: true,
        description: 'Has no limit and no offset.',
        deviation: { definition: lacking('limit', 'offset') },
      },
      {
        name: 'no formats',
        notCombined: true,
        description: 'Has no response_format.',
        deviation: { definition: lacking('response_format') },
      },
    ],
  },
]

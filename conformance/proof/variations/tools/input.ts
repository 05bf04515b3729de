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
    row: 'TOOL-CALL-05',
    factor: 'place of arguments',
    levels: [
      { name: 'top', says: 'Takes arguments at the top.' },
      {
        name: 'params',
        says: 'Takes all arguments in one field, params.',
        choices: { nestedParams: 'inline' },
      },
      {
        name: 'params by reference',
        says: 'Takes all arguments in one field, params, whose schema it refers to.',
        choices: { nestedParams: 'referred' },
      },
    ],
  },
  {
    row: 'form',
    factor: 'dialect of input schemas',
    levels: [
      { name: 'none', says: 'Does not tell the dialect of its schemas.' },
      {
        name: '2020-12',
        says: 'Tells that its schemas are of 2020-12.',
        choices: { dialect: '2020-12' },
      },
      {
        name: 'draft-07',
        says: 'Tells that its schemas are of draft 7.',
        choices: { dialect: 'draft-07' },
      },
    ],
  },
  {
    row: 'TOOL-INPUT-04',
    factor: 'fields that no tool knows',
    levels: [
      { name: 'refused', says: 'Refuses fields that a tool does not know.' },
      {
        name: 'allowed',
        says: 'Tells that there may be further fields, and passes by them.',
        choices: { extraInput: 'allowed' },
      },
      {
        name: 'passed by',
        says: 'Tells that there may be none, and passes by them all the same.',
        choices: { extraInput: 'ignored' },
      },
    ],
  },
  {
    row: 'TOOL-INPUT-05',
    factor: 'whitespace around strings',
    levels: [
      { name: 'stripped', says: 'Strips whitespace around strings.' },
      { name: 'kept', says: 'Keeps whitespace around strings.', choices: { strips: false } },
    ],
  },
  {
    row: 'TOOL-QUERY-02',
    factor: 'bounds of queries',
    levels: [
      { name: '2 to 200', says: 'Takes queries of 2 to 200 characters.' },
      {
        name: '1 to 500',
        says: 'Takes queries of 1 to 500 characters.',
        deviation: {
          definition: bounded({ minLength: 1, maxLength: 500 }),
          rules: { validate: queried(({ length }) => length >= 1 && length <= 500) },
        },
      },
      {
        name: 'words',
        alone: true,
        says: 'Takes queries of up to five words, as a pattern tells.',
        deviation: {
          definition: bounded({ pattern: '^\\w+( \\w+){0,4}$' }),
          rules: { validate: queried((query) => /^\w+( \w+){0,4}$/.test(query)) },
        },
      },
      {
        name: 'without tags',
        alone: true,
        says: 'Has a search that takes no tags.',
        deviation: { definition: lacking('tags') },
      },
    ],
  },
  {
    row: 'TOOL-INVALID-09',
    factor: 'refusals of input',
    levels: [
      { name: 'a result', says: 'Refuses input by a result that is marked as an error.' },
      {
        name: 'an error',
        says: 'Refuses input by the error -32602.',
        choices: { invalidInput: 'error' },
      },
      {
        name: 'a text',
        alone: true,
        says: 'Refuses input by a text alone.',
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
    row: 'form',
    factor: 'form of input schemas',
    levels: [
      { name: 'plain', says: 'Writes the schema of each field in one piece.' },
      {
        name: 'as models',
        says: 'Writes schemas as models of Python do, with titles, references and null.',
        deviation: { definition: asModels, before: takesNull },
      },
      {
        name: 'in parts',
        alone: true,
        says: 'Writes each constraint in a part of its own.',
        deviation: { definition: inParts },
      },
    ],
  },
  {
    row: 'form',
    factor: 'common fields',
    levels: [
      { name: 'all', says: 'Has limit, offset and response_format wherever they are of use.' },
      {
        name: 'no pages',
        alone: true,
        says: 'Has no limit and no offset.',
        deviation: { definition: lacking('limit', 'offset') },
      },
      {
        name: 'no formats',
        alone: true,
        says: 'Has no response_format.',
        deviation: { definition: lacking('response_format') },
      },
    ],
  },
]

import { isObject } from '../../../../mocks/stateful/http/body.ts'
import type { ToolsMiddleware } from '../../../../mocks/stateful/tools/call.ts'
import type { Definition } from '../../../../mocks/stateful/tools/protocol.ts'
import { defaultRules, type ToolsRules } from '../../../../mocks/stateful/tools/rules.ts'
import type { ToolsFactor } from './variation.ts'

type Schema = Record<string, unknown>

/**
 * Changes the schemas of all fields of a tool, even if its definition nests them in `params` or in
 * `$defs`.
 */
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

/**
 * Writes input schemas like those of Python models: with titles, a reference to an enumeration, and
 * null for optional fields.
 */
const asModels = (definition: Definition): Definition =>
  withFields(definition, (fields, root) => {
    const { response_format: format, ...others } = fields
    root['$defs'] = {
      ...(root['$defs'] as object | undefined),
      ResponseFormat: { enum: ['markdown', 'json'], title: 'ResponseFormat', type: 'string' },
    }
    const required = ['id', 'query', 'topic', 'book_id', 'reader_id']
    const changed = Object.entries(others).map(
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
      ...Object.fromEntries(changed),
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

/** Treats null like a missing argument, except in an integer field, whose schema forbids it. */
const acceptNull: ToolsMiddleware = (call, next) => {
  if (isObject(call.rawArguments))
    call.rawArguments = Object.fromEntries(
      Object.entries(call.rawArguments).filter(
        ([name, value]) => value !== null || ['limit', 'offset', 'days', 'count'].includes(name),
      ),
    )
  return next()
}

/**
 * Writes the type and the other constraints of each field as elements of allOf, as some generators
 * do.
 */
const withAllOf = (definition: Definition): Definition =>
  withFields(definition, (fields) =>
    Object.fromEntries(
      Object.entries(fields).map(([name, { type, description, default: value, ...bounds }]) => [
        name,
        {
          description,
          allOf: [{ type }, bounds],
          ...(value === undefined ? {} : { default: value }),
        },
      ]),
    ),
  )

const omitFields =
  (...names: string[]) =>
  (definition: Definition): Definition =>
    withFields(definition, (fields) =>
      Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name))),
    )

const withQueryBounds =
  (bounds: Schema) =>
  (definition: Definition): Definition =>
    withFields(definition, (fields) =>
      fields['query'] === undefined
        ? fields
        : {
            ...fields,
            query: { type: 'string', description: 'The words to search for.', ...bounds },
          },
    )

const renameField =
  (from: string, to: string) =>
  (definition: Definition): Definition =>
    withFields(definition, (fields) =>
      Object.fromEntries(
        Object.entries(fields).map(([name, field]) => [name === from ? to : name, field]),
      ),
    )

const renameArgument =
  (from: string, to: string): ToolsMiddleware =>
  (call, next) => {
    if (isObject(call.rawArguments) && from in call.rawArguments) {
      const { [from]: value, ...others } = call.rawArguments
      call.rawArguments = { ...others, [to]: value }
    }
    return next()
  }

/** Removes the query from the search, so that it only lists. */
const withoutQuery = (definition: Definition): Definition => {
  if (!definition.name.endsWith('search_books')) return definition
  const { inputSchema } = withFields(definition, ({ query: _, ...others }) => others)
  const { required, ...others } = inputSchema as { required?: string[] }
  const left = required?.filter((name) => name !== 'query') ?? []
  return {
    ...definition,
    inputSchema: { ...others, ...(left.length > 0 ? { required: left } : {}) },
  }
}

const addQuery: ToolsMiddleware = (call, next) => {
  if (call.tool.name.endsWith('search_books') && isObject(call.rawArguments))
    call.rawArguments = { query: 'the', ...call.rawArguments }
  return next()
}

/** The members with which a page describes its position in the list. */
const pageMembers = ['total', 'count', 'offset', 'has_more', 'next_offset']

const withoutPages: ToolsRules['pageFields'] = (page, kind) =>
  Object.fromEntries(
    Object.entries(defaultRules.pageFields(page, kind)).filter(
      ([name]) => !pageMembers.includes(name),
    ),
  )

/** Validates queries with this rule instead of the mock's. */
const validateQuery =
  (isValid: (query: string) => boolean): ToolsRules['validate'] =>
  (tool, args, choices) => {
    if (!tool.name.endsWith('search_books') || !isObject(args) || typeof args['query'] !== 'string')
      return defaultRules.validate(tool, args, choices)
    const query = args['query'].trim()
    if (!isValid(query)) return { problems: ['query is not valid'] }
    const found = defaultRules.validate(tool, { ...args, query: 'the' }, choices)
    return 'args' in found ? { args: { ...found.args, query } } : found
  }

/** Choices that the document leaves for the input of tools. */
export const input: readonly ToolsFactor[] = [
  {
    requirement: 'TOOL-CALL-05',
    name: 'place of the arguments',
    values: [
      { name: 'at the top level', description: 'Accepts arguments at the top level.' },
      {
        name: 'in the field params',
        description: 'Accepts all arguments in one field, params.',
        choices: { nestedParams: 'inline' },
      },
      {
        name: 'in the field params, whose schema is a reference',
        description: 'Accepts all arguments in one field, params, whose schema is a reference.',
        choices: { nestedParams: 'by reference' },
      },
    ],
  },
  {
    requirement: 'none',
    name: 'dialect of input schemas',
    values: [
      { name: 'none', description: 'Does not declare the dialect of its schemas.' },
      {
        name: '2020-12',
        description: 'Declares the dialect 2020-12 of JSON Schema.',
        choices: { dialect: '2020-12' },
      },
      {
        name: 'draft-07',
        description: 'Declares the dialect draft 7 of JSON Schema.',
        choices: { dialect: 'draft-07' },
      },
    ],
  },
  {
    requirement: 'TOOL-INPUT-04',
    name: 'unknown fields',
    values: [
      { name: 'refused', description: 'Refuses unknown fields.' },
      {
        name: 'ignored, as the input schema allows',
        description: 'Declares that unknown fields are allowed, and ignores them.',
        choices: { extraInput: 'allowed' },
      },
      {
        name: 'ignored, although the input schema forbids them',
        description: 'Declares that unknown fields are not allowed, and ignores them.',
        choices: { extraInput: 'ignored' },
      },
    ],
  },
  {
    requirement: 'TOOL-INPUT-05',
    name: 'whitespace around strings',
    values: [
      { name: 'removed', description: 'Strips whitespace around strings.' },
      {
        name: 'kept',
        description: 'Keeps whitespace around strings.',
        choices: { trimsStrings: false },
      },
    ],
  },
  {
    requirement: 'TOOL-QUERY-02',
    name: 'accepted queries',
    values: [
      { name: '2 to 200 characters', description: 'Accepts queries of 2 to 200 characters.' },
      {
        name: '1 to 500 characters',
        description: 'Accepts queries of 1 to 500 characters.',
        deviation: {
          definition: withQueryBounds({ minLength: 1, maxLength: 500 }),
          rules: { validate: validateQuery(({ length }) => length >= 1 && length <= 500) },
        },
      },
      {
        name: 'at most five words',
        notCombined: true,
        description: 'Accepts queries of up to five words, according to a pattern.',
        deviation: {
          definition: withQueryBounds({ pattern: '^\\w+( \\w+){0,4}$' }),
          rules: { validate: validateQuery((query) => /^\w+( \w+){0,4}$/.test(query)) },
        },
      },
    ],
  },
  {
    requirement: 'none',
    name: 'name of the query',
    values: [
      { name: 'query', description: 'Accepts the query in the field `query`.' },
      {
        name: 'words',
        notCombined: true,
        description: 'Accepts the query in the field `words`.',
        choices: { queryName: 'words' },
        deviation: {
          definition: renameField('query', 'words'),
          aroundValidation: renameArgument('words', 'query'),
        },
      },
      {
        name: 'no query',
        notCombined: true,
        description: 'Lists all books, because the tool has no field for a query.',
        choices: { queryName: null },
        deviation: {
          definition: withoutQuery,
          aroundValidation: addQuery,
        },
      },
    ],
  },
  {
    requirement: 'TOOL-QUERY-02',
    name: 'field tags',
    values: [
      { name: 'present', description: 'Has a search with tags.' },
      {
        name: 'absent',
        notCombined: true,
        description: 'Has a search without tags.',
        deviation: { definition: omitFields('tags') },
      },
    ],
  },
  {
    requirement: 'TOOL-INVALID-09',
    name: 'refusals of input',
    values: [
      {
        name: 'a result with isError',
        description: 'Refuses invalid input with a result that has isError.',
      },
      {
        name: 'the error -32602',
        description: 'Refuses invalid input with the error -32602.',
        choices: { invalidInput: 'error' },
      },
      {
        name: 'a result without isError',
        notCombined: true,
        description: 'Refuses invalid input with a result without isError.',
        deviation: {
          aroundValidation: async (call, next) => {
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
    requirement: 'none',
    name: 'form of input schemas',
    values: [
      { name: 'plain', description: 'Writes the schema of each field directly.' },
      {
        name: 'as models',
        description: 'Writes schemas like Python models, with titles, references and null.',
        deviation: { definition: asModels, aroundValidation: acceptNull },
      },
      {
        name: 'with allOf',
        notCombined: true,
        description: 'Writes constraints in allOf.',
        deviation: { definition: withAllOf },
      },
    ],
  },
  {
    requirement: 'none',
    name: 'common fields',
    values: [
      {
        name: 'all',
        description: 'Has limit, offset and response_format wherever they apply.',
      },
      {
        name: 'without limit and offset',
        notCombined: true,
        description: 'Has neither limit nor offset, and returns no pages.',
        deviation: {
          definition: omitFields('limit', 'offset'),
          rules: { pageFields: withoutPages },
        },
      },
      {
        name: 'without response_format',
        notCombined: true,
        description: 'Has no response_format.',
        deviation: { definition: omitFields('response_format') },
      },
    ],
  },
]

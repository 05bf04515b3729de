import type { Definition } from '../../../../mocks/stateful/tools/protocol.ts'
import type { ToolsFault } from './fault.ts'
import { defines, fault, resultsOf, type MakeToolsDeviation } from './building.ts'

type Schema = Record<string, unknown>

/** Changes the definition of one tool. */
const ofTool = (
  name: string,
  change: (definition: Definition) => Definition | void,
): MakeToolsDeviation =>
  defines((definition) => {
    if (definition.name !== `shelf_${name}`) return undefined
    return change(definition) ?? definition
  })

/** Lists a tool once more, under this name, and takes calls of it. */
const listedToo =
  (name: string, as: string): MakeToolsDeviation =>
  (hit) => ({
    message(direction, message) {
      const { method, params, result } = message as {
        method?: unknown
        params?: Record<string, unknown>
        result?: { tools?: unknown }
      }
      if (direction === 'in')
        return method === 'tools/call' && params?.['name'] === as && !own.has(as)
          ? { ...message, params: { ...params, name: `shelf_${name}` } }
          : message
      if (!Array.isArray(result?.tools)) return message
      const tools = result.tools as Definition[]
      const found = tools.find((tool) => tool.name === `shelf_${name}`)
      if (found === undefined) return message
      hit()
      return { ...message, result: { ...result, tools: [...tools, { ...found, name: as }] } }
    },
  })

/** Names that tools of the shelf have. */
const own = new Set(['shelf_create_loan', 'shelf_update_reader'])

/** Changes the schema of one field of a tool. */
export const ofField = (
  tool: string,
  name: string,
  change: (field: Schema) => Schema,
): MakeToolsDeviation =>
  ofTool(tool, (definition) => {
    const properties = definition.inputSchema['properties'] as Record<string, Schema>
    properties[name] = change(properties[name]!)
  })

/** The same schema without some of its keywords. */
const without =
  (...keywords: string[]) =>
  (field: Schema): Schema =>
    Object.fromEntries(Object.entries(field).filter(([keyword]) => !keywords.includes(keyword)))

const annotated = (
  tool: string,
  change: (annotations: Record<string, unknown>) => Record<string, unknown>,
): MakeToolsDeviation =>
  ofTool(tool, (definition) => ({
    ...definition,
    annotations: change(definition.annotations ?? {}),
  }))

/** Tells another name of the server. */
const serverNamed = (name: string): MakeToolsDeviation =>
  resultsOf('initialize', (result) => ({
    ...result,
    serverInfo: { ...(result['serverInfo'] as object), name },
  }))

const server: readonly ToolsFault[] = [
  fault(
    'server-name-has-hyphens',
    'Calls itself shelf-mcp.',
    ['TOOL-SERVER-03'],
    serverNamed('shelf-mcp'),
  ),
  fault(
    'server-name-has-capitals',
    'Calls itself Shelf_MCP.',
    ['TOOL-SERVER-03'],
    serverNamed('Shelf_MCP'),
  ),
  fault(
    'server-name-ends-otherwise',
    'Calls itself shelf_server.',
    ['TOOL-SERVER-03'],
    serverNamed('shelf_server'),
  ),
  fault(
    'server-name-tells-a-version',
    'Calls itself shelf_v2_mcp.',
    ['TOOL-SERVER-04'],
    serverNamed('shelf_v2_mcp'),
  ),
  fault(
    'server-name-tells-a-date',
    'Calls itself shelf_20250618_mcp.',
    ['TOOL-SERVER-04'],
    serverNamed('shelf_20250618_mcp'),
  ),
  fault(
    'server-name-is-of-another-service',
    'Calls itself library_mcp, and its tools shelf.',
    ['TOOL-NAME-03'],
    serverNamed('library_mcp'),
  ),
  fault(
    'server-name-is-in-the-plural',
    'Calls itself shelves_mcp, and its tools shelf.',
    ['TOOL-NAME-03'],
    serverNamed('shelves_mcp'),
  ),
]

const tools: readonly ToolsFault[] = [
  fault(
    'tool-name-is-in-camel-case',
    'Has a tool shelfUpdateReader too.',
    ['TOOL-NAME-01'],
    listedToo('update_reader', 'shelfUpdateReader'),
  ),
  fault(
    'tool-name-has-hyphens',
    'Has a tool shelf-read-rules too.',
    ['TOOL-NAME-01'],
    listedToo('read_rules', 'shelf-read-rules'),
  ),
  fault(
    'tool-name-has-no-object',
    'Has a tool shelf_status too.',
    ['TOOL-NAME-01'],
    listedToo('show_status', 'shelf_status'),
  ),
  fault(
    'tool-name-has-no-service',
    'Has a tool update_one_reader too, without the service.',
    ['TOOL-NAME-02'],
    listedToo('update_reader', 'update_one_reader'),
  ),
  fault(
    'tool-name-is-of-another-service',
    'Has a tool library_read_rules too, and all others are of shelf.',
    ['TOOL-NAME-02'],
    listedToo('read_rules', 'library_read_rules'),
  ),
  fault(
    'two-tools-have-one-name',
    'Lists the tool that changes a reader also under the name of the one that makes a loan.',
    ['TOOL-NAME-05'],
    listedToo('update_reader', 'shelf_create_loan'),
  ),
  fault(
    'tool-is-listed-twice',
    'Lists a tool twice.',
    ['TOOL-NAME-05'],
    listedToo('update_reader', 'shelf_update_reader'),
  ),
  fault(
    'tool-has-no-description',
    'Does not describe one tool.',
    ['TOOL-DESCRIPTION-01'],
    ofTool('read_rules', ({ description: _, ...rest }) => rest),
  ),
  fault(
    'tool-description-is-blank',
    'Describes one tool by a space.',
    ['TOOL-DESCRIPTION-01'],
    ofTool('read_rules', (definition) => ({ ...definition, description: ' ' })),
  ),
]

const fields: readonly ToolsFault[] = [
  fault(
    'field-has-no-type',
    'Does not tell the type of one field.',
    ['TOOL-INPUT-01'],
    ofField('update_reader', 'city', without('type')),
  ),
  fault(
    'field-has-a-type-of-its-own',
    'Tells a type that JSON Schema does not have.',
    ['TOOL-INPUT-01'],
    ofField('update_reader', 'city', (field) => ({ ...field, type: 'text' })),
  ),
  fault(
    'field-has-no-description',
    'Does not describe one field.',
    ['TOOL-INPUT-02'],
    ofField('create_loan', 'days', without('description')),
  ),
  fault(
    'field-description-is-blank',
    'Describes one field by a space.',
    ['TOOL-INPUT-02'],
    ofField('create_loan', 'days', (field) => ({ ...field, description: ' ' })),
  ),
  fault(
    'text-has-no-bounds',
    'Does not tell how long one text may be.',
    ['TOOL-INPUT-03'],
    ofField('update_reader', 'city', without('minLength', 'maxLength')),
  ),
  fault(
    'number-has-no-range',
    'Does not tell the range of one number.',
    ['TOOL-INPUT-03'],
    ofField('create_loan', 'days', without('minimum', 'maximum')),
  ),
  fault(
    'tool-has-no-input-schema',
    'Does not tell the input of one tool.',
    ['TOOL-INPUT-06'],
    ofTool('update_reader', ({ inputSchema: _, ...rest }) => rest as unknown as Definition),
  ),
  fault(
    'input-schema-is-no-object',
    'Tells the input of one tool without its type.',
    ['TOOL-INPUT-06'],
    ofTool('update_reader', (definition) => ({
      ...definition,
      inputSchema: without('type')(definition.inputSchema),
    })),
  ),
]

const hints = (
  [
    ['02', 'readOnlyHint'],
    ['03', 'destructiveHint'],
    ['04', 'idempotentHint'],
    ['05', 'openWorldHint'],
  ] as const
).flatMap(([number, hint]): ToolsFault[] => [
  fault(
    `${hint.toLowerCase().replace('hint', '')}-hint-is-missing`,
    `Does not tell ${hint} of one tool.`,
    [`TOOL-HINT-${number}`],
    annotated('read_rules', without(hint)),
  ),
  fault(
    `${hint.toLowerCase().replace('hint', '')}-hint-is-a-text`,
    `Tells ${hint} of one tool as a text.`,
    [`TOOL-HINT-${number}`],
    annotated('read_rules', (given) => ({ ...given, [hint]: String(given[hint]) })),
  ),
])

const annotations: readonly ToolsFault[] = [
  fault(
    'tool-has-no-title',
    'Gives one tool no title.',
    ['TOOL-HINT-01'],
    annotated('read_rules', without('title')),
  ),
  fault(
    'title-stands-beside-annotations',
    'Gives one tool its title beside its annotations only.',
    ['TOOL-HINT-01'],
    ofTool('read_rules', (definition) => ({
      ...definition,
      title: 'Read the rules',
      annotations: without('title')(definition.annotations ?? {}),
    })),
  ),
  ...hints,
  fault(
    'reading-is-called-destructive',
    'Says of a tool that it only reads, and that it destroys.',
    ['TOOL-HINT-06'],
    annotated('get_book', (given) => ({ ...given, destructiveHint: true })),
  ),
  fault(
    'all-tools-are-called-destructive',
    'Says of all its tools that they destroy, also of those that only read.',
    ['TOOL-HINT-06'],
    defines((definition) => ({
      ...definition,
      annotations: { ...definition.annotations, destructiveHint: true },
    })),
  ),
]

const common: readonly ToolsFault[] = [
  fault(
    'formats-lack-json',
    'Tells that a tool knows no json.',
    ['TOOL-FORMAT-01'],
    ofField('show_status', 'response_format', (field) => ({ ...field, enum: ['markdown'] })),
  ),
  fault(
    'told-format-is-json',
    'Tells that a tool answers in json by default.',
    ['TOOL-FORMAT-01'],
    ofField('show_status', 'response_format', (field) => ({ ...field, default: 'json' })),
  ),
  fault(
    'told-limit-ends-late',
    'Tells that limit goes up to 1000.',
    ['TOOL-LIMIT-01'],
    ofField('list_readers', 'limit', (field) => ({ ...field, maximum: 1000 })),
  ),
  fault(
    'told-limit-begins-early',
    'Tells that limit begins at 0.',
    ['TOOL-LIMIT-01'],
    ofField('list_readers', 'limit', (field) => ({ ...field, minimum: 0 })),
  ),
  fault(
    'told-limit-is-ten',
    'Tells that limit is 10 by default.',
    ['TOOL-LIMIT-01'],
    ofField('list_readers', 'limit', (field) => ({ ...field, default: 10 })),
  ),
  fault(
    'told-offset-begins-early',
    'Tells that offset begins at -1.',
    ['TOOL-OFFSET-01'],
    ofField('list_readers', 'offset', (field) => ({ ...field, minimum: -1 })),
  ),
  fault(
    'told-offset-is-one',
    'Tells that offset is 1 by default.',
    ['TOOL-OFFSET-01'],
    ofField('list_readers', 'offset', (field) => ({ ...field, default: 1 })),
  ),
  fault(
    'told-offset-is-a-number',
    'Tells that offset may be a fraction.',
    ['TOOL-OFFSET-01'],
    ofField('list_readers', 'offset', (field) => ({ ...field, type: 'number' })),
  ),
  fault(
    'query-is-told-as-a-list',
    'Tells that a query is a list of words.',
    ['TOOL-QUERY-01'],
    ofField('search_books', 'query', ({ description }) => ({
      type: 'array',
      maxItems: 10,
      items: { type: 'string', maxLength: 200 },
      description,
    })),
  ),
  fault(
    'query-is-not-told',
    'Does not tell that a search takes a query.',
    ['TOOL-QUERY-01'],
    ofTool('search_books', (definition) => {
      const { query: _, ...others } = definition.inputSchema['properties'] as Record<string, Schema>
      definition.inputSchema = {
        ...without('required')(definition.inputSchema),
        properties: others,
      }
    }),
  ),
]

/** What is told of the server and of its tools, and does not keep the conventions. */
export const definitions: readonly ToolsFault[] = [
  ...server,
  ...tools,
  ...fields,
  ...annotations,
  ...common,
]

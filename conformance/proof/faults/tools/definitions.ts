import type { Definition } from '../../../../mocks/stateful/tools/protocol.ts'
import type { ToolsFault } from './fault.ts'
import { onDefinition, fault, onResult, type MakeToolsDeviation } from './building.ts'

type Schema = Record<string, unknown>

/** Changes the definition of one tool. */
const onDefinitionOf = (
  name: string,
  change: (definition: Definition) => Definition | void,
): MakeToolsDeviation =>
  onDefinition((definition) => {
    if (definition.name !== `shelf_${name}`) return undefined
    return change(definition) ?? definition
  })

/** Lists a tool a second time under the name `as`, and accepts calls of that name. */
const listToo =
  (name: string, as: string): MakeToolsDeviation =>
  (hit) => ({
    message(direction, message) {
      const { method, params, result } = message as {
        method?: unknown
        params?: Record<string, unknown>
        result?: { tools?: unknown }
      }
      if (direction === 'in')
        return method === 'tools/call' && params?.['name'] === as && !existingNames.has(as)
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

/**
 * Values of `as` in calls of `listToo` that are names of other tools of the mock. Calls of these
 * tools are not redirected.
 */
const existingNames = new Set(['shelf_create_loan', 'shelf_update_reader'])

/** Changes the schema of one field of a tool. */
export const onField = (
  tool: string,
  name: string,
  change: (field: Schema) => Schema,
): MakeToolsDeviation =>
  onDefinitionOf(tool, (definition) => {
    const properties = definition.inputSchema['properties'] as Record<string, Schema>
    properties[name] = change(properties[name]!)
  })

/** Removes keywords from a schema. */
const omitKeywords =
  (...keywords: string[]) =>
  (field: Schema): Schema =>
    Object.fromEntries(Object.entries(field).filter(([keyword]) => !keywords.includes(keyword)))

const onAnnotations = (
  tool: string,
  change: (annotations: Record<string, unknown>) => Record<string, unknown>,
): MakeToolsDeviation =>
  onDefinitionOf(tool, (definition) => ({
    ...definition,
    annotations: change(definition.annotations ?? {}),
  }))

/** Changes the name of the server. */
const renameServer = (name: string): MakeToolsDeviation =>
  onResult('initialize', (result) => ({
    ...result,
    serverInfo: { ...(result['serverInfo'] as object), name },
  }))

const server: readonly ToolsFault[] = [
  fault(
    'server-name-has-hyphens',
    'Is named shelf-mcp.',
    ['TOOL-SERVER-03'],
    renameServer('shelf-mcp'),
  ),
  fault(
    'server-name-has-capitals',
    'Is named Shelf_MCP.',
    ['TOOL-SERVER-03'],
    renameServer('Shelf_MCP'),
  ),
  fault(
    'server-name-has-another-suffix',
    'Is named shelf_server.',
    ['TOOL-SERVER-03'],
    renameServer('shelf_server'),
  ),
  fault(
    'server-name-has-a-version',
    'Is named shelf_v2_mcp.',
    ['TOOL-SERVER-04'],
    renameServer('shelf_v2_mcp'),
  ),
  fault(
    'server-name-has-a-date',
    'Is named shelf_20250618_mcp.',
    ['TOOL-SERVER-04'],
    renameServer('shelf_20250618_mcp'),
  ),
  fault(
    'server-name-is-of-another-service',
    'Is named library_mcp, with tools named shelf_….',
    ['TOOL-NAME-03'],
    renameServer('library_mcp'),
  ),
  fault(
    'server-name-is-in-the-plural',
    'Is named shelves_mcp, with tools named shelf_….',
    ['TOOL-NAME-03'],
    renameServer('shelves_mcp'),
  ),
]

const tools: readonly ToolsFault[] = [
  fault(
    'tool-name-is-in-camel-case',
    'Has an additional tool shelfUpdateReader.',
    ['TOOL-NAME-01'],
    listToo('update_reader', 'shelfUpdateReader'),
  ),
  fault(
    'tool-name-has-hyphens',
    'Has an additional tool shelf-read-rules.',
    ['TOOL-NAME-01'],
    listToo('read_rules', 'shelf-read-rules'),
  ),
  fault(
    'tool-name-has-no-object',
    'Has an additional tool shelf_status.',
    ['TOOL-NAME-01'],
    listToo('show_status', 'shelf_status'),
  ),
  fault(
    'tool-name-has-no-service',
    'Has an additional tool update_one_reader, without the prefix.',
    ['TOOL-NAME-02'],
    listToo('update_reader', 'update_one_reader'),
  ),
  fault(
    'tool-name-is-of-another-service',
    'Has an additional tool library_read_rules, although all other names start with shelf.',
    ['TOOL-NAME-02'],
    listToo('read_rules', 'library_read_rules'),
  ),
  fault(
    'two-tools-have-one-name',
    'Lists the tool that updates readers a second time, under the name of another tool.',
    ['TOOL-NAME-05'],
    listToo('update_reader', 'shelf_create_loan'),
  ),
  fault(
    'tool-is-listed-twice',
    'Lists a tool twice.',
    ['TOOL-NAME-05'],
    listToo('update_reader', 'shelf_update_reader'),
  ),
  fault(
    'tool-has-no-description',
    'Has a tool without a description.',
    ['TOOL-DESCRIPTION-01'],
    onDefinitionOf('read_rules', ({ description: _, ...rest }) => rest),
  ),
  fault(
    'tool-description-is-blank',
    'Has a tool whose description is a space.',
    ['TOOL-DESCRIPTION-01'],
    onDefinitionOf('read_rules', (definition) => ({ ...definition, description: ' ' })),
  ),
  fault(
    'tool-description-is-the-name',
    'Has a tool whose description is its name.',
    ['TOOL-DESCRIPTION-02'],
    onDefinitionOf('read_rules', (definition) => ({
      ...definition,
      description: definition['name'],
    })),
  ),
  fault(
    'tool-description-is-the-name-in-words',
    'Has a tool whose description contains only the words of its name.',
    ['TOOL-DESCRIPTION-02'],
    onDefinitionOf('read_rules', (definition) => ({ ...definition, description: 'Read rules.' })),
  ),
  fault(
    'tool-description-is-a-sentence-with-the-name',
    'Has a tool whose description is a sentence that contains only its name.',
    ['TOOL-DESCRIPTION-02'],
    onDefinitionOf('get_book', (definition) => ({
      ...definition,
      description: 'This tool is shelf_get_book.',
    })),
  ),
  fault(
    'tool-description-is-the-name-as-a-sentence',
    'Has a tool whose description contains only forms of the words of its name.',
    ['TOOL-DESCRIPTION-02'],
    onDefinitionOf('get_book', (definition) => ({
      ...definition,
      description: 'Gets a book from the shelf.',
    })),
  ),
  fault(
    'all-tools-have-one-description',
    'Has the same description for all tools.',
    ['TOOL-DESCRIPTION-02'],
    onDefinition((definition) => ({
      ...definition,
      description: 'A tool for the data of the library, with results in Markdown or JSON.',
    })),
  ),
]

const fields: readonly ToolsFault[] = [
  fault(
    'field-has-no-type',
    'Has a field without a type.',
    ['TOOL-INPUT-01'],
    onField('update_reader', 'city', omitKeywords('type')),
  ),
  fault(
    'field-has-an-unknown-type',
    'Has a field with the type text, which JSON Schema does not define.',
    ['TOOL-INPUT-01'],
    onField('update_reader', 'city', (field) => ({ ...field, type: 'text' })),
  ),
  fault(
    'field-has-no-description',
    'Has a field without a description.',
    ['TOOL-INPUT-02'],
    onField('create_loan', 'days', omitKeywords('description')),
  ),
  fault(
    'field-description-is-blank',
    'Has a field whose description is a space.',
    ['TOOL-INPUT-02'],
    onField('create_loan', 'days', (field) => ({ ...field, description: ' ' })),
  ),
  fault(
    'string-has-no-bounds',
    'Has a string field without length limits.',
    ['TOOL-INPUT-03'],
    onField('update_reader', 'city', omitKeywords('minLength', 'maxLength')),
  ),
  fault(
    'number-has-no-range',
    'Has a number field without a range.',
    ['TOOL-INPUT-03'],
    onField('create_loan', 'days', omitKeywords('minimum', 'maximum')),
  ),
  fault(
    'tool-has-no-input-schema',
    'Has a tool without an input schema.',
    ['TOOL-INPUT-06'],
    onDefinitionOf('update_reader', ({ inputSchema: _, ...rest }) => rest as unknown as Definition),
  ),
  fault(
    'input-schema-is-not-an-object',
    'Has a tool whose input schema has no type.',
    ['TOOL-INPUT-06'],
    onDefinitionOf('update_reader', (definition) => ({
      ...definition,
      inputSchema: omitKeywords('type')(definition.inputSchema),
    })),
  ),
]

const hints = (
  [
    ['02', 'readOnlyHint', 'read_rules'],
    // A read-only tool may omit these two.
    ['03', 'destructiveHint', 'create_loan'],
    ['04', 'idempotentHint', 'create_loan'],
    ['05', 'openWorldHint', 'read_rules'],
  ] as const
).flatMap(([number, hint, tool]): ToolsFault[] => [
  fault(
    `${hint.toLowerCase().replace('hint', '')}-hint-is-missing`,
    `Omits ${hint} from one tool.`,
    [`TOOL-HINT-${number}`],
    onAnnotations(tool, omitKeywords(hint)),
  ),
  fault(
    `${hint.toLowerCase().replace('hint', '')}-hint-is-a-string`,
    `Declares ${hint} of one tool as a string.`,
    [`TOOL-HINT-${number}`],
    onAnnotations('read_rules', (annotations) => ({
      ...annotations,
      [hint]: String(annotations[hint]),
    })),
  ),
])

const annotations: readonly ToolsFault[] = [
  fault(
    'tool-has-no-title',
    'Has a tool without a title.',
    ['TOOL-HINT-01'],
    onAnnotations('read_rules', omitKeywords('title')),
  ),
  fault(
    'title-is-outside-of-annotations',
    'Has a tool whose title is not in its annotations.',
    ['TOOL-HINT-01'],
    onDefinitionOf('read_rules', (definition) => ({
      ...definition,
      title: 'Read the rules',
      annotations: omitKeywords('title')(definition.annotations ?? {}),
    })),
  ),
  ...hints,
  fault(
    'reading-is-declared-destructive',
    'Declares a tool both read-only and destructive.',
    ['TOOL-HINT-06'],
    onAnnotations('get_book', (annotations) => ({ ...annotations, destructiveHint: true })),
  ),
  fault(
    'all-tools-are-declared-destructive',
    'Declares all tools destructive, even read-only ones.',
    ['TOOL-HINT-06'],
    onDefinition((definition) => ({
      ...definition,
      annotations: { ...definition.annotations, destructiveHint: true },
    })),
  ),
  fault(
    'named-deletion-is-not-destructive',
    'Declares that the tool that deletes loans is not destructive.',
    ['TOOL-HINT-15'],
    onAnnotations('delete_loan', (annotations) => ({ ...annotations, destructiveHint: false })),
  ),
  fault(
    'named-update-is-read-only',
    'Declares that the tool that updates readers only reads.',
    ['TOOL-HINT-15'],
    onAnnotations('update_reader', (annotations) => ({
      ...annotations,
      readOnlyHint: true,
      destructiveHint: false,
    })),
  ),
  fault(
    'title-is-the-name',
    'Uses the name of a tool as its title.',
    ['TOOL-HINT-11'],
    onAnnotations('read_rules', (annotations) => ({ ...annotations, title: 'shelf_read_rules' })),
  ),
  fault(
    'titles-are-parts-of-names',
    'Uses the name of each tool, without the service, as its title.',
    ['TOOL-HINT-11'],
    onDefinition((definition) => ({
      ...definition,
      annotations: {
        ...definition.annotations,
        title: String(definition.name).replace(/^[a-z]+_/, ''),
      },
    })),
  ),
]

const common: readonly ToolsFault[] = [
  fault(
    'formats-lack-json',
    'Does not declare the format json.',
    ['TOOL-FORMAT-01'],
    onField('show_status', 'response_format', (field) => ({ ...field, enum: ['markdown'] })),
  ),
  fault(
    'declared-format-is-json',
    'Declares json as the default format.',
    ['TOOL-FORMAT-01'],
    onField('show_status', 'response_format', (field) => ({ ...field, default: 'json' })),
  ),
  fault(
    'declared-limit-is-too-high',
    'Declares 1000 as the maximum of limit.',
    ['TOOL-LIMIT-01'],
    onField('list_readers', 'limit', (field) => ({ ...field, maximum: 1000 })),
  ),
  fault(
    'declared-limit-is-too-low',
    'Declares 0 as the minimum of limit.',
    ['TOOL-LIMIT-01'],
    onField('list_readers', 'limit', (field) => ({ ...field, minimum: 0 })),
  ),
  fault(
    'declared-limit-is-ten',
    'Declares 10 as the default of limit.',
    ['TOOL-LIMIT-01'],
    onField('list_readers', 'limit', (field) => ({ ...field, default: 10 })),
  ),
  fault(
    'declared-offset-is-too-low',
    'Declares -1 as the minimum of offset.',
    ['TOOL-OFFSET-01'],
    onField('list_readers', 'offset', (field) => ({ ...field, minimum: -1 })),
  ),
  fault(
    'declared-offset-is-one',
    'Declares 1 as the default of offset.',
    ['TOOL-OFFSET-01'],
    onField('list_readers', 'offset', (field) => ({ ...field, default: 1 })),
  ),
  fault(
    'declared-offset-is-a-number',
    'Declares offset as a number instead of an integer.',
    ['TOOL-OFFSET-01'],
    onField('list_readers', 'offset', (field) => ({ ...field, type: 'number' })),
  ),
  fault(
    'query-is-declared-as-a-list',
    'Declares query as an array.',
    ['TOOL-QUERY-01'],
    onField('search_books', 'query', ({ description }) => ({
      type: 'array',
      maxItems: 10,
      items: { type: 'string', maxLength: 200 },
      description,
    })),
  ),
  fault(
    'query-is-not-declared',
    'Does not declare query in the input schema of a search.',
    ['TOOL-QUERY-01'],
    onDefinitionOf('search_books', (definition) => {
      const { query: _, ...others } = definition.inputSchema['properties'] as Record<string, Schema>
      definition.inputSchema = {
        ...omitKeywords('required')(definition.inputSchema),
        properties: others,
      }
    }),
  ),
]

/** Faults in which names, descriptions, schemas and annotations break the conventions. */
export const definitions: readonly ToolsFault[] = [
  ...server,
  ...tools,
  ...fields,
  ...annotations,
  ...common,
]

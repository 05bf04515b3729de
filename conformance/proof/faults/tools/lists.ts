import { fault, onMessage, resultsOf, type MakeToolsDeviation } from './building.ts'

type Json = Record<string, unknown>

/** A server whose list of tools comes in parts of four. */
const inParts =
  (make: MakeToolsDeviation): MakeToolsDeviation =>
  (hit) => ({ ...make(hit), choices: { toolPage: 4 } })

const templates = (change: (template: Json) => Json): MakeToolsDeviation =>
  resultsOf('resources/templates/list', (result) => ({
    ...result,
    resourceTemplates: (result['resourceTemplates'] as Json[]).map(change),
  }))

const contents = (change: (content: Json) => Json): MakeToolsDeviation =>
  resultsOf('resources/read', (result) => ({
    ...result,
    contents: (result['contents'] as Json[]).map(change),
  }))

/** Gives a result for a resource that there is not. */
const invents = (result: (uri: unknown) => Json): MakeToolsDeviation =>
  onMessage((response, { method, params }) =>
    method === 'resources/read' && 'error' in response
      ? { jsonrpc: '2.0', id: response['id'], result: result(params['uri']) }
      : response,
  )

/** Tools and resources, as they are listed and read. */
export const lists = [
  fault(
    'no-tools-are-listed',
    'Lists no tools, though it has some.',
    ['TOOL-SERVER-01'],
    resultsOf('tools/list', () => ({ tools: [] })),
  ),
  fault(
    'tools-are-listed-by-name',
    'Lists tools as an object, by their names.',
    ['TOOL-SERVER-01'],
    resultsOf('tools/list', ({ tools }) => ({
      tools: Object.fromEntries((tools as Json[]).map((tool) => [tool['name'], tool])),
    })),
  ),

  fault(
    'list-has-no-end',
    'Gives a cursor with every part of the list of tools, also with empty ones.',
    ['TOOL-MCP-12'],
    onMessage((response, { method, params }) => {
      if (method !== 'tools/list') return response
      if (params['cursor'] === 'more')
        return { jsonrpc: '2.0', id: response['id'], result: { tools: [], nextCursor: 'more' } }
      return { ...response, result: { ...(response['result'] as Json), nextCursor: 'more' } }
    }),
  ),
  fault(
    'cursor-is-refused',
    'Refuses the cursor that it gave with the first part of the list.',
    ['TOOL-MCP-12'],
    inParts(
      onMessage((response, { method, params }) =>
        method === 'tools/list' && 'cursor' in params
          ? {
              jsonrpc: '2.0',
              id: response['id'],
              error: { code: -32602, message: 'Invalid cursor' },
            }
          : response,
      ),
    ),
  ),
  fault(
    'parts-lose-a-tool',
    'Leaves out the last tool of each part of the list but the last.',
    ['TOOL-MCP-12'],
    inParts(
      resultsOf('tools/list', (result) =>
        'nextCursor' in result
          ? { ...result, tools: (result['tools'] as Json[]).slice(0, -1) }
          : undefined,
      ),
    ),
  ),

  fault(
    'template-without-parameters',
    'Has templates of resources without parameters.',
    ['TOOL-RESOURCE-01'],
    templates((template) => ({
      ...template,
      uriTemplate: String(template['uriTemplate']).replace(/\/\{.*$/, ''),
    })),
  ),
  fault(
    'template-under-another-name',
    'Tells templates as uri in place of uriTemplate.',
    ['TOOL-RESOURCE-01'],
    templates(({ uriTemplate, ...template }) => ({ ...template, uri: uriTemplate })),
  ),
  fault(
    'template-is-not-closed',
    'Forgets the closing brace of a template.',
    ['TOOL-RESOURCE-01'],
    templates((template) => ({
      ...template,
      uriTemplate: String(template['uriTemplate']).replace('}', ''),
    })),
  ),

  fault(
    'resource-has-no-contents',
    'Reads a resource as an empty list.',
    ['TOOL-RESOURCE-02'],
    resultsOf('resources/read', () => ({ contents: [] })),
  ),
  fault(
    'resource-tells-another-uri',
    'Tells the URI of another resource with what is read.',
    ['TOOL-RESOURCE-02'],
    contents((content) => ({ ...content, uri: 'shelf://books/b-999' })),
  ),
  fault(
    'resource-tells-no-uri',
    'Tells no URI with what is read.',
    ['TOOL-RESOURCE-02'],
    contents(({ uri: _, ...content }) => content),
  ),
  fault(
    'resource-without-data',
    'Gives neither text nor bytes of a resource.',
    ['TOOL-RESOURCE-02'],
    contents(({ text: _, ...content }) => content),
  ),

  fault(
    'missing-resource-is-empty',
    'Reads a resource that there is not as an empty list.',
    ['TOOL-RESOURCE-03'],
    invents(() => ({ contents: [] })),
  ),
  fault(
    'missing-resource-is-a-text',
    'Gives a text for a resource that there is not.',
    ['TOOL-RESOURCE-03'],
    invents((uri) => ({ contents: [{ uri, text: 'Not found' }] })),
  ),
]

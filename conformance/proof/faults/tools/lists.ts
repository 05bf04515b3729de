import { fault, onMessage, onResult, type MakeToolsDeviation } from './building.ts'

type Json = Record<string, unknown>

/** Runs the fault on a server that lists four tools per page. */
export const withPages =
  (make: MakeToolsDeviation): MakeToolsDeviation =>
  (hit) => ({ ...make(hit), choices: { toolPage: 4 } })

const onTemplates = (change: (template: Json) => Json): MakeToolsDeviation =>
  onResult('resources/templates/list', (result) => ({
    ...result,
    resourceTemplates: (result['resourceTemplates'] as Json[]).map(change),
  }))

const onContents = (change: (content: Json) => Json): MakeToolsDeviation =>
  onResult('resources/read', (result) => ({
    ...result,
    contents: (result['contents'] as Json[]).map(change),
  }))

/** Declares resources.subscribe, but refuses subscriptions with an error. */
const refuseSubscriptions =
  (error: Json): MakeToolsDeviation =>
  (hit) => ({
    ...onMessage((response, { method }) =>
      method === 'resources/subscribe' ? { jsonrpc: '2.0', id: response['id'], error } : response,
    )(hit),
    choices: { subscriptions: true },
  })

/** Returns a result in place of the error for a resource that does not exist. */
const inventResource = (result: (uri: unknown) => Json): MakeToolsDeviation =>
  onMessage((response, { method, params }) =>
    method === 'resources/read' && 'error' in response
      ? { jsonrpc: '2.0', id: response['id'], result: result(params['uri']) }
      : response,
  )

const errorFor = ({ id }: Json): Json => ({
  jsonrpc: '2.0',
  id,
  error: { code: -32602, message: 'Invalid cursor' },
})

/** Lists no tools if a session requests its list again. */
const listToolsOnce: MakeToolsDeviation = (hit) => {
  const listed = new Set<unknown>()
  return onMessage((response, { method, where: { session } }) => {
    if (method !== 'tools/list') return response
    if (listed.has(session)) return { ...response, result: { tools: [] } }
    listed.add(session)
    return response
  })(hit)
}

/**
 * Lists the resources on two pages. `second` returns the resources of the second page. With
 * `isLenient`, returns this page for every cursor.
 */
export const pageResources = (
  second: (all: readonly unknown[]) => readonly unknown[],
  isLenient = false,
): MakeToolsDeviation =>
  onMessage((response, { method, params }) => {
    const result = response['result'] as Json | undefined
    if (method !== 'resources/list' || result === undefined) return response
    const all = result['resources'] as unknown[]
    if (params['cursor'] === undefined)
      return { ...response, result: { resources: all.slice(0, 2), nextCursor: 'second' } }
    return params['cursor'] === 'second' || isLenient
      ? { ...response, result: { resources: second(all) } }
      : errorFor(response)
  })

const cursorIsNull = (what: string, method: string) =>
  fault(
    `last-cursor-of-${what}-is-null`,
    `Returns null as nextCursor on the last page of ${method}.`,
    ['TOOL-RESOURCE-11'],
    onResult(method, (result) => ({ ...result, nextCursor: null })),
  )

/** Faults in the lists of tools and in resources. */
export const lists = [
  fault(
    'no-tools-are-listed',
    'Lists no tools, although it has some.',
    ['TOOL-SERVER-01'],
    onResult('tools/list', () => ({ tools: [] })),
  ),
  fault(
    'tools-are-listed-by-name',
    'Lists tools as an object with their names as keys.',
    ['TOOL-SERVER-01'],
    onResult('tools/list', ({ tools }) => ({
      tools: Object.fromEntries((tools as Json[]).map((tool) => [tool['name'], tool])),
    })),
  ),

  fault(
    'list-has-no-end',
    'Returns a cursor with every page of the list of tools, even with an empty page.',
    ['TOOL-MCP-12'],
    onMessage((response, { method, params }) => {
      if (method !== 'tools/list') return response
      if (params['cursor'] === 'more')
        return { jsonrpc: '2.0', id: response['id'], result: { tools: [], nextCursor: 'more' } }
      return { ...response, result: { ...(response['result'] as Json), nextCursor: 'more' } }
    }),
  ),
  fault(
    'last-cursor-is-null',
    'Returns null as nextCursor on the last page of the list of tools.',
    ['TOOL-MCP-12'],
    onResult('tools/list', (result) => ({ ...result, nextCursor: result['nextCursor'] ?? null })),
  ),
  fault(
    'cursor-is-refused',
    'Refuses every cursor in requests for the list of tools.',
    ['TOOL-MCP-12'],
    withPages(
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
    'tools-are-listed-once',
    'Lists no tools if a client requests the list again in its session.',
    ['TOOL-MCP-12'],
    listToolsOnce,
  ),
  fault(
    'unknown-cursor-is-the-beginning',
    'Returns the first page of the list of tools for an unknown cursor.',
    ['TOOL-MCP-20'],
    (hit) => {
      const firsts = new Map<unknown, unknown>()
      return withPages(
        onMessage((response, { method, params, where: { session } }) => {
          if (method !== 'tools/list') return response
          if (params['cursor'] === undefined) firsts.set(session, response['result'])
          return 'error' in response && firsts.has(session)
            ? { jsonrpc: '2.0', id: response['id'], result: firsts.get(session) }
            : response
        }),
      )(hit)
    },
  ),
  fault(
    'every-cursor-of-resources-is-accepted',
    'Returns the last page of the list of resources for every cursor.',
    ['TOOL-MCP-20'],
    pageResources((all) => all.slice(2), true),
  ),
  fault(
    'pages-of-resources-overlap',
    'Begins the second page of the list of resources with the last one of the first page.',
    ['TOOL-RESOURCE-12'],
    pageResources((all) => all.slice(1)),
  ),
  fault(
    'second-page-of-resources-repeats-the-first',
    'Lists all resources again on the second page of the list.',
    ['TOOL-RESOURCE-12'],
    pageResources((all) => all),
  ),
  cursorIsNull('resources', 'resources/list'),
  cursorIsNull('templates', 'resources/templates/list'),
  fault(
    'pages-lose-a-tool',
    'Omits the last tool of each page of the list except the last page.',
    ['TOOL-MCP-12'],
    withPages(
      onResult('tools/list', (result) =>
        'nextCursor' in result
          ? { ...result, tools: (result['tools'] as Json[]).slice(0, -1) }
          : undefined,
      ),
    ),
  ),

  fault(
    'template-without-parameters',
    'Lists resource templates without parameters.',
    ['TOOL-RESOURCE-01'],
    onTemplates((template) => ({
      ...template,
      uriTemplate: String(template['uriTemplate']).replace(/\/\{.*$/, ''),
    })),
  ),
  fault(
    'template-under-another-name',
    'Returns the field uri, not uriTemplate, in resource templates.',
    ['TOOL-RESOURCE-01'],
    onTemplates(({ uriTemplate, ...template }) => ({ ...template, uri: uriTemplate })),
  ),
  fault(
    'template-is-not-closed',
    'Omits the closing brace of a template.',
    ['TOOL-RESOURCE-01'],
    onTemplates((template) => ({
      ...template,
      uriTemplate: String(template['uriTemplate']).replace('}', ''),
    })),
  ),

  fault(
    'resource-has-no-contents',
    'Returns no contents for a resource.',
    ['TOOL-RESOURCE-02'],
    onResult('resources/read', () => ({ contents: [] })),
  ),
  fault(
    'resource-has-another-uri',
    'Returns the contents of a resource with the URI of another resource.',
    ['TOOL-RESOURCE-02'],
    onContents((content) => ({ ...content, uri: 'shelf://books/b-999' })),
  ),
  fault(
    'resource-has-no-uri',
    'Returns contents without a URI.',
    ['TOOL-RESOURCE-02'],
    onContents(({ uri: _, ...content }) => content),
  ),
  fault(
    'resource-without-data',
    'Returns contents with neither the field text nor the field blob.',
    ['TOOL-RESOURCE-02'],
    onContents(({ text: _, ...content }) => content),
  ),

  fault(
    'blob-is-not-base64',
    'Returns the text of resources in the field blob, without encoding it in base64.',
    ['TOOL-RESOURCE-02'],
    onContents(({ text, ...content }) => ({ ...content, blob: text })),
  ),

  fault(
    'resources-have-no-names',
    'Lists resources without names.',
    ['TOOL-RESOURCE-06'],
    onResult('resources/list', (result) => ({
      resources: (result['resources'] as Json[]).map(({ name: _, ...resource }) => resource),
    })),
  ),
  fault(
    'templates-are-in-another-member',
    'Returns resource templates in the field templates, not in the field resourceTemplates.',
    ['TOOL-RESOURCE-06'],
    onResult('resources/templates/list', ({ resourceTemplates, ...result }) => ({
      ...result,
      templates: resourceTemplates,
    })),
  ),
  fault(
    'subscriptions-are-unknown',
    'Declares resources.subscribe, but does not know the method resources/subscribe.',
    ['TOOL-RESOURCE-09'],
    refuseSubscriptions({ code: -32601, message: 'Method not found: resources/subscribe' }),
  ),
  fault(
    'subscriptions-fail',
    'Declares resources.subscribe, and responds to each resources/subscribe with an internal error.',
    ['TOOL-RESOURCE-09'],
    refuseSubscriptions({ code: -32603, message: 'Internal error' }),
  ),
  fault(
    'template-reads-the-first-book',
    'Returns the first book for the URI of every book.',
    ['TOOL-RESOURCE-07'],
    (hit) => {
      let first: string | undefined
      return onResult('resources/read', (result, { uri }) => {
        const contents = result['contents'] as Json[]
        if (!String(uri).includes('/books/')) return undefined
        first ??= String(contents[0]?.['text'])
        return { contents: contents.map((content) => ({ ...content, text: first })) }
      })(hit)
    },
  ),

  fault(
    'template-reads-the-previous-book',
    'For the URI of a book, returns the book that was read before.',
    ['TOOL-RESOURCE-07'],
    (hit) => {
      const texts = new Map<unknown, unknown>()
      return onResult('resources/read', (result, { uri }) => {
        const [content] = result['contents'] as Json[]
        if (!String(uri).includes('/books/') || content === undefined) return undefined
        const previous = [...texts.keys()].findLast((other) => other !== uri)
        texts.delete(uri)
        texts.set(uri, content['text'])
        return previous === undefined
          ? undefined
          : { contents: [{ ...content, text: texts.get(previous) }] }
      })(hit)
    },
  ),

  fault(
    'missing-resource-is-an-internal-error',
    'Reports a resource that does not exist as an internal error.',
    ['TOOL-RESOURCE-16'],
    onMessage((response, { method }) =>
      method === 'resources/read' && 'error' in response
        ? { ...response, error: { code: -32603, message: 'Internal error' } }
        : response,
    ),
  ),
  fault(
    'missing-resource-is-empty',
    'Returns no contents for a resource that does not exist.',
    ['TOOL-RESOURCE-03'],
    inventResource(() => ({ contents: [] })),
  ),
  fault(
    'missing-resource-has-contents',
    'Returns contents for a resource that does not exist.',
    ['TOOL-RESOURCE-03'],
    inventResource((uri) => ({ contents: [{ uri, text: 'Not found' }] })),
  ),
  fault(
    'unknown-book-is-the-first-book',
    'Returns the first book for the URI of a book that does not exist.',
    ['TOOL-RESOURCE-03'],
    onMessage((response, { method, params }) =>
      method === 'resources/read' && 'error' in response && /\/books\//.test(String(params['uri']))
        ? {
            jsonrpc: '2.0',
            id: response['id'],
            result: {
              contents: [
                { uri: params['uri'], mimeType: 'application/json', text: '{"id":"b-001"}' },
              ],
            },
          }
        : response,
    ),
  ),

  fault(
    'listed-resource-does-not-exist',
    'Lists a resource that cannot be read.',
    ['TOOL-RESOURCE-08'],
    onResult('resources/list', ({ resources, ...result }) => ({
      ...result,
      resources: [...(resources as Json[]), { uri: 'shelf://rules/none', name: 'none' }],
    })),
  ),
  fault(
    'listed-resource-is-empty-on-the-second-read',
    'Returns an empty text for the second read of a resource in a session.',
    ['TOOL-RESOURCE-08'],
    (hit) => {
      const seen = new Set<string>()
      return onMessage((response, { method, params, where }) => {
        if (method !== 'resources/read' || !('result' in response)) return response
        const key = JSON.stringify([where.session, params['uri']])
        if (!seen.has(key)) {
          seen.add(key)
          return response
        }
        const { contents } = response['result'] as { contents: Json[] }
        return {
          ...response,
          result: { contents: contents.map((content) => ({ ...content, text: '' })) },
        }
      })(hit)
    },
  ),
]

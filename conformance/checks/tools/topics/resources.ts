import { readableUri, templateOf, templatesIn } from '../support/resources.ts'
import { Blocked, type Expectation, NotApplicable, isObject } from '../../../engine/index.ts'
import type { McpExchange } from '../../../wire/index.ts'
import { check } from '../support/define.ts'
import { listAll, listTemplates, type ListPages } from '../support/list-pages.ts'

import type { Session } from '../support/client-session.ts'
import { parametersOf, sameUri } from '../support/uris.ts'

const haveTemplates: Expectation<McpExchange> = {
  name: 'is a URI template',
  expected: 'uriTemplate, a URI template (RFC 6570), in each',
  test: (exchange) =>
    templatesIn(exchange).every((entry) => parametersOf(templateOf(entry) ?? '{') !== undefined),
}
const haveParameters: Expectation<McpExchange> = {
  name: 'has parameters',
  expected: 'a parameter in each uriTemplate',
  test: (exchange) =>
    templatesIn(exchange).every(
      (entry) => (parametersOf(templateOf(entry) ?? '')?.length ?? 0) > 0,
    ),
}

const contentsOf = ({ result }: McpExchange): readonly unknown[] => {
  const contents = result?.['contents']
  return Array.isArray(contents) ? (contents as unknown[]) : []
}

const isRead: Expectation<McpExchange> = {
  name: 'is read',
  expected: 'a result with contents, an array that is not empty',
  test: (exchange) => contentsOf(exchange).length > 0,
}
const hasData: Expectation<McpExchange> = {
  name: 'has text or bytes',
  expected: 'text or blob, a string, in each of contents',
  test: (exchange) =>
    contentsOf(exchange).every(
      (content) =>
        isObject(content) &&
        (typeof content['text'] === 'string' || typeof content['blob'] === 'string'),
    ),
}
/** What stands for several, such as a folder, gives each under a URI of its own. */
const tellsUri = (uri: string): Expectation<McpExchange> => ({
  name: 'tells its URI',
  expected: `uri in each of contents, ${uri} where there is one`,
  test: (exchange) => {
    const uris = contentsOf(exchange).map((content) =>
      isObject(content) ? content['uri'] : undefined,
    )
    return (
      uris.every((one) => typeof one === 'string') &&
      (uris.length > 1 || sameUri(String(uris[0]), uri))
    )
  },
})

/** Without the capability there are no resources that a client could ask for. */
const declared = (session: Session): void => {
  if (!session.declares('resources')) throw new NotApplicable('declares no resources')
}

const isOffered = ({ entries }: ListPages): boolean => entries.length > 0

export const resources = [
  check('TOOL-RESOURCE-01', {
    title: 'has templates of resources with parameters',
    async run({ onEachTransport, expect }) {
      await onEachTransport(async (session) => {
        declared(session)
        const templates = await listTemplates(session)
        if (!isOffered(templates)) throw new NotApplicable('has no templates of resources')
        for (const exchange of templates.pages) expect(exchange, haveTemplates, haveParameters)
      })
    },
  }),

  check('TOOL-RESOURCE-02', {
    title: 'reads a resource by its URI',
    async run({ access: { resource = '' }, onEachTransport, expect }) {
      await onEachTransport(async ({ request }) => {
        const exchange = await request('resources/read', { uri: resource })
        expect(exchange, isRead)
        expect(exchange, tellsUri(resource), hasData)
      })
    },
  }),

  check('TOOL-RESOURCE-03', {
    title: 'refuses a URI at which there is no resource',
    async run({ access, onEachTransport, expect }) {
      await onEachTransport(async (session) => {
        declared(session)
        const contrast = await session.request('resources/read', {
          uri: await readableUri(session, access.resource),
        })
        if (contentsOf(contrast).length === 0)
          throw new Blocked('TOOL-RESOURCE-02', contrast.summary)
        // A scheme of its own: a template may give something for whatever stands in the place of its parameters.
        const missing = await session.request(
          'resources/read',
          { uri: `touchstone-nothing://${crypto.randomUUID()}/nothing` },
          { operation: 'resources/read nothing' },
        )
        expect(missing, {
          name: 'gets an error',
          expected: 'an error',
          test: ({ error }) => error !== undefined,
        })
      })
    },
  }),

  check('TOOL-RESOURCE-04', {
    title: 'declares the resources that it offers',
    async run({ onEachTransport, expect }) {
      await onEachTransport(async (session) => {
        const { handshake } = session
        if (!isObject(handshake.result?.['capabilities']))
          throw new Blocked('TOOL-MCP-01', handshake.summary)
        if (!session.declares('resources')) {
          const [one, other] = await Promise.all([
            listAll(session, 'resources/list', 'resources'),
            listTemplates(session),
          ])
          if (!isOffered(one) && !isOffered(other)) throw new NotApplicable('offers no resources')
        }
        expect(handshake, {
          name: 'declares resources',
          expected: 'capabilities.resources, an object',
          test: () => session.declares('resources'),
        })
      })
    },
  }),
]

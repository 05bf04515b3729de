import { readableUri, templateOf, templatesIn } from '../support/resources.ts'
import { Blocked, type Expectation, NotApplicable, isObject } from '../../../engine/index.ts'
import type { McpExchange } from '../../../wire/index.ts'
import { check } from '../support/define.ts'
import { listAll, listTemplates, type ListPages } from '../support/list-pages.ts'

import type { Session } from '../support/client-session.ts'
import { parametersOf, sameUri } from '../support/uris.ts'

const haveTemplates: Expectation<McpExchange> = {
  name: 'is a URI template',
  expected: 'the field uriTemplate (a URI template, RFC 6570) in each entry',
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
  expected: 'a result with the field contents (an array that is not empty)',
  test: (exchange) => contentsOf(exchange).length > 0,
}
const hasData: Expectation<McpExchange> = {
  name: 'has data',
  expected: 'the field text or blob (a string) in each entry of contents',
  test: (exchange) =>
    contentsOf(exchange).every(
      (content) =>
        isObject(content) &&
        (typeof content['text'] === 'string' || typeof content['blob'] === 'string'),
    ),
}
/** A resource that represents several, such as a folder, returns each with its own URI. */
const hasUri = (uri: string): Expectation<McpExchange> => ({
  name: 'has its URI',
  expected: `uri in each entry of contents; ${uri} for a single entry`,
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

/** Without the capability a client must not request resources. */
const requireCapability = (session: Session): void => {
  if (!session.declares('resources'))
    throw new NotApplicable('the server does not declare resources')
}

const isNotEmpty = ({ entries }: ListPages): boolean => entries.length > 0

export const resourcesChecks = [
  check('TOOL-RESOURCE-01', {
    title: 'lists resource templates with parameters',
    async run({ onEachTransport, expect }) {
      await onEachTransport(async (session) => {
        requireCapability(session)
        const templates = await listTemplates(session)
        if (!isNotEmpty(templates)) throw new NotApplicable('the server has no resource templates')
        for (const exchange of templates.pages) expect(exchange, haveTemplates, haveParameters)
      })
    },
  }),

  check('TOOL-RESOURCE-02', {
    title: 'reads a resource by its URI',
    async run({ target: { resource = '' }, onEachTransport, expect }) {
      await onEachTransport(async ({ request }) => {
        const exchange = await request('resources/read', { uri: resource })
        expect(exchange, isRead)
        expect(exchange, hasUri(resource), hasData)
      })
    },
  }),

  check('TOOL-RESOURCE-03', {
    title: 'returns an error for an unknown URI',
    async run({ target, onEachTransport, expect }) {
      await onEachTransport(async (session) => {
        requireCapability(session)
        const contrast = await session.request('resources/read', {
          uri: await readableUri(session, target.resource),
        })
        if (contentsOf(contrast).length === 0)
          throw new Blocked('TOOL-RESOURCE-02', contrast.summary)
        // An unknown scheme, because a template may return something for any parameters.
        const missing = await session.request(
          'resources/read',
          { uri: `touchstone-nothing://${crypto.randomUUID()}/nothing` },
          { operation: 'resources/read an unknown URI' },
        )
        expect(missing, {
          name: 'returns an error',
          expected: 'a JSON-RPC error',
          test: ({ error }) => error !== undefined,
        })
      })
    },
  }),

  check('TOOL-RESOURCE-04', {
    title: 'declares the capability resources',
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
          if (!isNotEmpty(one) && !isNotEmpty(other))
            throw new NotApplicable('the server has no resources')
        }
        expect(handshake, {
          name: 'declares resources',
          expected: 'the field capabilities.resources (an object)',
          test: () => session.declares('resources'),
        })
      })
    },
  }),
]

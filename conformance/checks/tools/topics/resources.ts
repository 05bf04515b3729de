import { readableUri, templateOf, templatesIn } from '../support/resources.ts'
import {
  Blocked,
  type Expectation,
  NotApplicable,
  NotCovered,
  isObject,
  labelled,
} from '../../../engine/index.ts'
import type { McpExchange } from '../../../wire/index.ts'
import { check } from '../support/define.ts'
import { listAll, listTemplates, type ListPages } from '../support/list-pages.ts'

import type { Session } from '../support/client-session.ts'
import { requestPage } from '../support/result-page.ts'
import {
  hasTitles,
  parameterOf,
  readItem,
  readItems,
  textOfResource,
  unlikeItems,
  type TemplateReads,
} from '../support/template-resources.ts'
import { contentsOf, readListed, type ListedReads } from '../support/listed-resources.ts'
import type { ToolsWorld } from '../support/world.ts'
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

const isRead: Expectation<McpExchange> = {
  name: 'is read',
  expected: 'a result with the field contents (a non-empty array)',
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
/** Whether a string is base64 without line breaks, with its padding. */
const isBase64 = (text: string): boolean =>
  /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text)
const hasBase64: Expectation<McpExchange> = {
  name: 'has base64 in blob',
  expected: 'base64 in each blob',
  test: (exchange) =>
    contentsOf(exchange).every(
      (content) =>
        !isObject(content) || typeof content['blob'] !== 'string' || isBase64(content['blob']),
    ),
}
/**
 * Requires the requested URI only if there is exactly one entry. A resource that contains others,
 * such as a folder, returns each of them with its own URI.
 */
const hasUri = (uri: string): Expectation<McpExchange> => ({
  name: 'has its URI',
  expected: `the field uri in each entry of contents; if there is only one entry, with the value ${uri}`,
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

/** The check is not applicable without this capability: clients must then request no resources. */
const requireCapability = (session: Session): void => {
  if (!session.declares('resources'))
    throw new NotApplicable('the server does not declare resources')
}

const isNotEmpty = ({ entries }: ListPages): boolean => entries.length > 0

const hasCursorOrNone: Expectation<McpExchange> = {
  name: 'has a cursor or none',
  expected: 'nextCursor missing or a string',
  test: ({ result }) => ['string', 'undefined'].includes(typeof result?.['nextCursor']),
}

/** Required members of the entries of each list, except uriTemplate (see TOOL-RESOURCE-01). */
const entryMembers = { resources: ['uri', 'name'], resourceTemplates: ['name'] } as const

const namesEntries = (list: keyof typeof entryMembers): Expectation<McpExchange> => ({
  name: 'names its entries',
  expected: `the field ${list} (an array of objects with ${entryMembers[list].join(' and ')})`,
  test: ({ result }) => {
    const entries = result?.[list]
    return (
      Array.isArray(entries) &&
      entries.every(
        (entry: unknown) =>
          isObject(entry) && entryMembers[list].every((name) => typeof entry[name] === 'string'),
      )
    )
  },
})

const canBeRead: Expectation<ListedReads> = {
  name: 'can be read',
  expected: 'a result with the field contents (an array) for each listed URI',
  test: ({ unreadable }) => unreadable.length === 0,
  received: ({ unreadable }) =>
    unreadable.map(({ uri, read }) => `${uri}: ${read.summary}`).join('; '),
}
const keepsData: Expectation<ListedReads> = {
  name: 'still has data',
  expected: 'data in the second response for a URI whose first response has data',
  test: ({ emptied }) => emptied.length === 0,
  received: ({ emptied }) => `${emptied.map(({ uri }) => uri).join(', ')}: no data`,
}

/** Reads an unknown scheme, because a template may return something for any parameters. */
const readMissing = (session: Session): Promise<McpExchange> =>
  session.request(
    'resources/read',
    { uri: `touchstone-nothing://${crypto.randomUUID()}/nothing` },
    { operation: 'resources/read an unknown URI' },
  )

const isError: Expectation<McpExchange> = {
  name: 'returns an error',
  expected: 'a JSON-RPC error',
  test: ({ error }) => error !== undefined,
}

/** If two URIs return the same text, and the text names only one item, one of them is wrong. */
const readsItsItem: Expectation<TemplateReads> = {
  name: 'returns the item of the URI',
  expected: 'the resource of the item whose id is in the URI',
  test: ({ items, reads }) => {
    const [one, other] = reads.map(textOfResource)
    return one !== other || items.every(({ title }) => one!.includes(title))
  },
  received: ({ template, items: [one, other], reads: [first] }) =>
    `${template}: the same text with the id ${one.id} and with the id ${other.id}: ${textOfResource(first).slice(0, 200)}`,
}

/** Reads two items of the search with each template for items. */
async function findItemTemplates(
  world: ToolsWorld,
  session: Session,
): Promise<{ found: readonly TemplateReads[]; idNames: readonly string[] }> {
  const { get, search } = world.target
  const { items = [] } = await requestPage(world, session, search!)
  const pair = unlikeItems(items, search!.id!, search!.title!)
  if (pair === undefined)
    throw new NotCovered('the search returns fewer than two items with different names')
  const idNames = Object.keys(get?.arguments ?? {}).filter((name) => name.endsWith('id'))
  return { found: await readItems(session, pair, idNames), idNames }
}

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
    title: 'returns a resource for its URI',
    async run({ target: { resource = '' }, onEachTransport, expect }) {
      await onEachTransport(async ({ request }) => {
        const exchange = await request('resources/read', { uri: resource })
        expect(exchange, isRead)
        expect(exchange, hasUri(resource), hasData, hasBase64)
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
        const missing = await readMissing(session)
        expect(missing, isError)
      })
    },
  }),

  check('TOOL-RESOURCE-16', {
    title: 'returns the code for a missing resource',
    async run({ onEachTransport, expect, requireMet }) {
      await onEachTransport(async (session) => {
        requireCapability(session)
        const missing = await readMissing(session)
        if (missing.error === undefined) {
          await requireMet('TOOL-RESOURCE-03', missing.summary)
          throw new NotApplicable('the server returns no error for an unknown URI')
        }
        expect(missing, {
          name: 'has the code of a missing resource',
          expected: 'code -32002 or -32602',
          test: ({ error }) => error?.code === -32002 || error?.code === -32602,
          received: ({ error }) => `code ${error?.code}`,
        })
      })
    },
  }),

  check('TOOL-RESOURCE-03', {
    title: 'returns an error for an unknown id in a URI',
    needs: ['tools.search.id', 'tools.search.title'],
    async run(world) {
      await world.onEachTransport(async (session) => {
        requireCapability(session)
        const { found, idNames } = await findItemTemplates(world, session)
        // Other parameters, such as a query, can have any value.
        const usable = found.filter(
          (reads) => hasTitles(reads) && idNames.includes(parameterOf(reads.template)),
        )
        if (usable.length === 0)
          throw new NotApplicable('no resource template is known to contain the id of an item')
        for (const { template } of usable) {
          const id = `touchstone-${crypto.randomUUID()}`
          world.expect(await readItem(session, template, id), isError)
        }
      })
    },
  }),

  check('TOOL-RESOURCE-08', {
    title: 'returns every listed resource each time it is read',
    async run({ onEachTransport, openSession, expectValue, record }) {
      await onEachTransport(async (session) => {
        requireCapability(session)
        // Over stdio, a new session has a new process, in which nothing was read before.
        const reads = await readListed(await openSession(session.transport))
        if (reads.count === 0) throw new NotApplicable('the server lists no resources')
        for (const { read } of [...reads.unreadable, ...reads.emptied]) record(read)
        expectValue(reads, canBeRead, keepsData)
      })
    },
  }),

  check('TOOL-RESOURCE-11', {
    title: 'returns cursors of resources and templates as strings',
    async run({ onEachTransport, expect }) {
      await onEachTransport(async (session) => {
        requireCapability(session)
        const { pages } = await listAll(session, 'resources/list', 'resources')
        const templates = await listTemplates(session)
        for (const [door, list] of [
          ['resources', pages],
          ['resourceTemplates', templates.pages],
        ] as const)
          for (const page of list)
            if (page.result !== undefined) expect(page, labelled(door, hasCursorOrNone))
      })
    },
  }),

  check('TOOL-RESOURCE-12', {
    title: 'lists each resource on only one page',
    async run(world) {
      await world.onOneTransport(async (session) => {
        requireCapability(session)
        // Calls may create resources while the pages are requested.
        const { pages, entries } = await world.withExclusiveUpstream(session, (alone) =>
          listAll(alone, 'resources/list', 'resources'),
        )
        if (pages.length < 2) throw new NotApplicable('the list of resources has one page')
        const uris = entries.map((entry) => (isObject(entry) ? entry['uri'] : undefined))
        const repeated = uris.filter((uri, at) => uris.indexOf(uri) !== at)
        world.expectValue(repeated, {
          name: 'contains each resource once',
          expected: 'different values of uri on all pages',
          test: (some) => some.length === 0,
          received: (some) => some.slice(0, 5).map(String).join(', '),
        })
      })
    },
  }),

  check('TOOL-RESOURCE-06', {
    title: 'lists resources with uri and name, and templates with name',
    async run({ onEachTransport, expect }) {
      await onEachTransport(async (session) => {
        requireCapability(session)
        const lists = [
          ['resources', await listAll(session, 'resources/list', 'resources')],
          ['resourceTemplates', await listTemplates(session)],
        ] as const
        // A server with resources need not serve both list methods.
        const served = lists.flatMap(([list, { pages }]) =>
          pages.filter(({ result }) => result !== undefined).map((page) => ({ list, page })),
        )
        if (served.length === 0)
          throw new Blocked(
            'TOOL-RESOURCE-04',
            `resources/list returned ${lists[0][1].pages[0]?.summary ?? 'nothing'}`,
          )
        for (const { list, page } of served) expect(page, labelled(list, namesEntries(list)))
      })
    },
  }),

  check('TOOL-RESOURCE-07', {
    title: 'returns the resource that the URI identifies',
    async run(world) {
      const { onEachTransport, expectValue, record } = world
      await onEachTransport(async (session) => {
        requireCapability(session)
        const { found } = await findItemTemplates(world, session)
        if (found.length === 0)
          throw new NotApplicable('no resource template provides the items of the search')
        for (const reads of found) {
          if (!readsItsItem.test(reads)) reads.reads.forEach(record)
          expectValue(reads, readsItsItem)
        }
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

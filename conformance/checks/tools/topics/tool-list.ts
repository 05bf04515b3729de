import {
  type Expectation,
  isObject,
  labelled,
  NotApplicable,
  ofValue,
} from '../../../engine/index.ts'
import type { McpExchange } from '../../../wire/index.ts'
import { namedCalls } from '../support/named-calls.ts'
import { check } from '../support/define.ts'
import { describeFindings, requireFindings } from '../support/findings-of-session.ts'
import { maxListPages } from '../support/handshake.ts'

import { listAll, listTemplates } from '../support/list-pages.ts'

const hasTools = ({
  result,
}: {
  result?: Readonly<Record<string, unknown>> | undefined
}): boolean => Array.isArray(result?.['tools'])

/** The largest number of tools that a report names. */
const maxNamed = 5

const isWhole = (listed: readonly string[]): Expectation<readonly string[]> => ({
  name: 'is complete',
  expected: 'a list of tools that contains every tool of the target file',
  test: (missing) => missing.length === 0,
  received: (missing) =>
    `not in the list: ${missing.slice(0, maxNamed).join(', ')}. The list contains ${listed.slice(0, maxNamed).join(', ')}${listed.length > maxNamed ? ` and ${listed.length - maxNamed} more` : ''}. If the name in the target file is wrong, correct it there`,
})

const nameOf = (entry: unknown): unknown => (isObject(entry) ? entry['name'] : undefined)

const refusesCursor: Expectation<McpExchange> = {
  name: 'is refused',
  expected: 'a JSON-RPC error for a cursor that the server never returned',
  test: ({ error }) => error !== undefined,
}

export const toolListChecks = [
  check('TOOL-SERVER-01', {
    title: 'lists at least one tool',
    async run({ onEachTransport, expect }) {
      await onEachTransport(async (session) => {
        const [first] = session.listPages
        if (first === undefined) return
        expect(first, {
          name: 'lists tools',
          expected: 'a result with the field tools (a non-empty array)',
          test: ({ result }) => Array.isArray(result?.['tools']) && result['tools'].length > 0,
        })
        const broken =
          session.definitions.length === 0
            ? []
            : requireFindings(session).filter(({ requirement }) => requirement === 'TOOL-SERVER-01')
        expect(first, {
          name: 'lists definitions',
          expected: 'an object for each tool',
          test: () => broken.length === 0,
          received: () => describeFindings(broken),
        })
      })
    },
  }),

  check('TOOL-MCP-12', {
    title: 'lists all tools, on one page or on several',
    async run({ target, onEachTransport, expect, requireMet }) {
      await onEachTransport(async ({ listPages, tools, definitions }) => {
        if (definitions.length === 0) await requireMet('TOOL-SERVER-01')
        for (const list of listPages)
          expect(list, {
            name: 'returns each page',
            expected: 'a result with the field tools (an array)',
            test: hasTools,
          })
        const last = listPages.at(-1)
        if (last !== undefined)
          expect(last, {
            name: 'has a last page',
            expected: `a page without nextCursor among the first ${maxListPages}`,
            test: ({ result }) => typeof result?.['nextCursor'] !== 'string',
          })
        for (const list of listPages)
          expect(list, {
            name: 'has a cursor or none',
            expected: 'nextCursor missing or a string',
            test: ({ result }) => ['string', 'undefined'].includes(typeof result?.['nextCursor']),
          })
        const names = new Set(tools.map(({ name }) => name))
        const missing = namedCalls(target)
          .map(({ tool }) => tool)
          .filter((name) => !names.has(name))
        if (last !== undefined) expect(last, ofValue(missing, isWhole([...names])))
      })
    },
  }),

  check('TOOL-MCP-12', {
    title: 'lists the tools again in the same session',
    door: 'a second list in a session',
    async run({ onEachTransport, openSession, expect, requireMet }) {
      await onEachTransport(async ({ transport, tools }) => {
        if (tools.length === 0) await requireMet('TOOL-SERVER-01')
        const session = await openSession(transport)
        const first = await listAll(session, 'tools/list', 'tools')
        if (first.entries.length === 0) await requireMet('TOOL-SERVER-01', first.pages[0]?.summary)
        const { pages, entries } = await listAll(session, 'tools/list', 'tools')
        // A tool may be added or removed at any time, but not all of them.
        const names = new Set(first.entries.map(nameOf))
        expect(pages[0]!, {
          name: 'lists tools again',
          expected: 'at least one tool of the first list',
          test: () => entries.some((entry) => names.has(nameOf(entry))),
          received: ({ summary }) => `${entries.length} tools: ${summary}`,
        })
      })
    },
  }),

  check('TOOL-MCP-20', {
    title: 'returns an error for an unknown cursor',
    async run({ onEachTransport, expect }) {
      const tried = await onEachTransport(async (session) => {
        const lists = [
          ['tools/list', true],
          ['resources/list', session.declares('resources')],
        ] as const
        let count = 0
        for (const [method, isOffered] of lists) {
          const first = isOffered ? await session.request(method, {}) : undefined
          // A server whose list has one page returns no cursors, and may ignore them.
          if (typeof first?.result?.['nextCursor'] !== 'string') continue
          count += 1
          const cursor = `touchstone-${crypto.randomUUID()}`
          expect(await session.request(method, { cursor }), labelled(method, refusesCursor))
        }
        return count
      })
      if (tried.every((count) => count === 0))
        throw new NotApplicable('the lists of tools and resources have one page')
    },
  }),

  check('TOOL-SERVER-02', {
    title: 'records the number of resources',
    async run({ onEachTransport, observe }) {
      const descriptions = await onEachTransport(async (session) => {
        if (!session.declares('resources')) return `${session.transport}: declares no resources`
        const resources = await listAll(session, 'resources/list', 'resources')
        const templates = await listTemplates(session)
        return `${session.transport}: ${resources.entries.length} resources, ${templates.entries.length} templates`
      })
      for (const one of descriptions) observe(one)
    },
  }),

  check('TOOL-RESOURCE-05', {
    title: 'records the number of tools, and the resource templates',
    async run({ onEachTransport, observe }) {
      const descriptions = await onEachTransport(async (session) => {
        const { entries } = session.declares('resources')
          ? await listTemplates(session)
          : { entries: [] }
        const uris = entries.map((entry) => (isObject(entry) ? String(entry['uriTemplate']) : ''))
        return `${session.transport}: ${session.tools.length} tools; resource templates: ${uris.length === 0 ? 'none' : uris.slice(0, 10).join(', ')}`
      })
      for (const one of descriptions) observe(one)
    },
  }),
]

import { expect, test } from 'vitest'
import type { RequirementId } from '../../../generated/requirements/index.ts'
import { type Verdict } from '../../engine/index.ts'
import { startSuite } from '../../suite.ts'
import { suiteDefaults } from '../../target-file/index.ts'
import { argumentsOf } from './stdio-program.testing.ts'

interface SearchOptions {
  count?: number
  defaultLimit?: number
  /**
   * After these numbers of pages, another client changes an item, so that the last item becomes the
   * first one.
   */
  moves?: readonly number[]
}

/** A server with a search that returns pages of `count` items. */
const searchServer = ({ count = 12, defaultLimit = 20, moves = [] }: SearchOptions) =>
  argumentsOf({
    declarations: `
const items = Array.from({ length: ${count} }, (_, at) => ({ id: 'item-' + at }))
let pages = 0
const search = ({ limit = ${defaultLimit}, offset = 0 }) => {
  const page = items.slice(offset, offset + limit)
  const end = offset + page.length
  pages += 1
  if (${JSON.stringify(moves)}.includes(pages)) items.unshift(items.pop())
  const json = {
    total: items.length, count: page.length, offset, items: page,
    has_more: items.length > end, next_offset: items.length > end ? end : null }
  return { content: [{ type: 'text', text: JSON.stringify(json) }], structuredContent: json }
}`,
    tools: `[{ name: 'one_search', description: 'Searches.', inputSchema: {
      type: 'object', properties: {
        limit: { type: 'integer' }, offset: { type: 'integer' },
        response_format: { type: 'string' } } } }]`,
    call: '({ arguments: args }) => search(args)',
  })

/** Returns the outcome of the checks of a requirement against such a server. */
async function judgeSearch(
  requirement: RequirementId,
  options: SearchOptions,
): Promise<Verdict['verdict'] | undefined> {
  const run = await startSuite(
    {
      tools: {
        stdio: { command: process.execPath, args: searchServer(options) },
        search: { tool: 'one_search', arguments: {}, id: 'id' },
      },
      suite: suiteDefaults,
    } as never,
    { selection: { only: [requirement] }, throwaway: true },
  )
  const verdicts = await run.verdicts
  await run.finish()
  return verdicts.find((one) => one.requirement === requirement)?.verdict
}

// The first page shows the total. The check then reads pages of three items.
test.for([
  ['while the pages are read', [3], 'pass'],
  ['after every page', Array.from({ length: 200 }, (_, at) => at), 'fail'],
] as const)('an item moves %s', async ([, moves, verdict]) => {
  expect(await judgeSearch('TOOL-PAGE-07', { moves })).toBe(verdict)
})

test.for([
  [12, 50, 'not covered'],
  [12, 10, 'fail'],
  [30, 50, 'fail'],
  [30, 20, 'pass'],
] as const)(
  'of %i items, %i are returned by default: %s',
  async ([count, defaultLimit, verdict]) => {
    expect(await judgeSearch('TOOL-LIMIT-02', { count, defaultLimit })).toBe(verdict)
  },
)

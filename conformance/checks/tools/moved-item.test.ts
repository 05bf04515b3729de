import { expect, test } from 'vitest'
import { clockOf } from '../../engine/index.ts'
import { startSuite } from '../../suite.ts'
import { suiteDefaults } from '../../target-file/index.ts'

/**
 * A server with a search that returns pages. After some pages, another client changes an item, so
 * that the last item becomes the first one: `moves` lists how many pages were returned before.
 */
const programOf = (moves: readonly number[]) => `
const items = Array.from({ length: 12 }, (_, at) => ({ id: 'item-' + at }))
let pages = 0
const search = ({ limit = 20, offset = 0 }) => {
  const page = items.slice(offset, offset + limit)
  const end = offset + page.length
  pages += 1
  if (${JSON.stringify(moves)}.includes(pages)) items.unshift(items.pop())
  const json = {
    total: items.length, count: page.length, offset, items: page,
    has_more: items.length > end, next_offset: items.length > end ? end : null }
  return { content: [{ type: 'text', text: JSON.stringify(json) }], structuredContent: json }
}
const results = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'one_mcp', version: '1' } }),
  'tools/list': () => ({ tools: [{ name: 'one_search', description: 'Searches.', inputSchema: {
    type: 'object', properties: {
      limit: { type: 'integer' }, offset: { type: 'integer' }, response_format: { type: 'string' } } } }] }),
  'tools/call': ({ arguments: args }) => search(args),
}
require('readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line)
  if (id === undefined) return
  const answer = !Object.hasOwn(results, method)
    ? { error: { code: -32601, message: 'unknown' } }
    : { result: results[method](params) }
  console.log(JSON.stringify({ jsonrpc: '2.0', id, ...answer }))
})`

async function judge(moves: readonly number[]): Promise<string | undefined> {
  const run = await startSuite(
    {
      tools: {
        stdio: { command: process.execPath, args: ['-e', programOf(moves)] },
        search: { tool: 'one_search', arguments: {}, id: 'id' },
      },
      suite: suiteDefaults,
    } as never,
    { clock: clockOf(20), selection: { only: ['TOOL-PAGE-07'] }, throwaway: true },
  )
  const verdicts = await run.verdicts
  await run.finish()
  return verdicts.find(({ requirement }) => requirement === 'TOOL-PAGE-07')?.verdict
}

// The first page shows the total. The check then reads pages of three items.
test.for([
  ['while the pages are read', [3], 'pass'],
  ['after every page', Array.from({ length: 200 }, (_, at) => at), 'fail'],
] as const)('an item moves %s', async ([, moves, verdict]) => {
  expect(await judge(moves)).toBe(verdict)
})

import { expect, test } from 'vitest'
import { startSuite } from '../../suite.ts'
import { suiteDefaults } from '../../target-file/index.ts'
import { argumentsOf } from './stdio-program.testing.ts'

/**
 * A server whose search returns a JSON array. It has neither pages nor response_format, and refuses
 * other arguments.
 */
const program = argumentsOf({
  declarations: `
const search = {
  name: 'one_search_plants', description: 'Searches plants',
  inputSchema: {
    type: 'object', required: ['query'], additionalProperties: false,
    properties: { query: { type: 'string' } } },
}
const call = ({ arguments: { query, ...others } }) => Object.keys(others).length > 0
  ? { isError: true, content: [{ type: 'text', text: 'Error: unknown argument' }] }
  : { content: [{ type: 'text', text: JSON.stringify(
      ['lavender', 'rosemary'].filter((name) => name.includes(query)).map((name) => ({ name })),
    ) }] }`,
  tools: '[search]',
  call: 'call',
})

test('a search without pages and formats may return a JSON array', async () => {
  const run = await startSuite(
    {
      tools: {
        stdio: { command: process.execPath, args: program },
        search: {
          tool: 'one_search_plants',
          arguments: { query: 'a' },
          id: 'name',
          title: 'name',
        },
        long: { tool: 'one_search_plants', arguments: { query: 'a' }, id: 'name' },
      },
      suite: suiteDefaults,
    } as never,
    {
      selection: {
        only: [
          'TOOL-JSON',
          'TOOL-FORMAT',
          'TOOL-PAGE',
          'TOOL-TRUNCATION',
          'TOOL-LIMIT',
          'TOOL-ERROR-09',
        ],
      },
      throwaway: true,
    },
  )
  const verdicts = await run.verdicts
  await run.finish()
  const asked = verdicts.filter(({ key }) =>
    /^TOOL-(JSON-01 returns JSON results of the search|ERROR-09)/.test(key),
  )
  expect(asked.map(({ requirement, verdict }) => [requirement, verdict])).toEqual([
    ['TOOL-JSON-01', 'pass'],
    ['TOOL-ERROR-09', 'pass'],
  ])
  const wrong = verdicts.filter(({ verdict }) =>
    ['fail', 'warn', 'error', 'blocked'].includes(verdict),
  )
  expect(wrong.map(({ key, reason }) => [key, reason])).toEqual([])
})

import { expect, test } from 'vitest'
import { startSuite } from '../../suite.ts'
import { suiteDefaults } from '../../target-file/index.ts'
import { argumentsOf } from './stdio-program.testing.ts'

/** A server whose list is different in each call. */
const program = argumentsOf({
  declarations: 'let count = 0',
  tools: `[{ name: 'one_list_events', description: 'Lists events', annotations: { readOnlyHint: true },
    inputSchema: { type: 'object', properties: { limit: { type: 'integer' } } } }]`,
  call: `() => ({ content: [{ type: 'text', text: 'event ' + (count += 1) }] })`,
})

test('a list that changes with each call proves nothing about the default limit', async () => {
  const run = await startSuite(
    {
      tools: {
        stdio: { command: process.execPath, args: program },
        calls: { one_list_events: {} },
      },
      suite: suiteDefaults,
    } as never,
    { selection: { only: ['TOOL-LIMIT-02'] }, throwaway: true },
  )
  const verdicts = await run.verdicts
  await run.finish()
  const found = verdicts.find(({ key }) => key.endsWith('in all tools that only read'))
  expect(found).toMatchObject({ verdict: 'not covered' })
})

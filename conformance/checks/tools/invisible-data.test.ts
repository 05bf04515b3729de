import { expect, test } from 'vitest'
import { startSuite } from '../../suite.ts'
import { suiteDefaults } from '../../target-file/index.ts'
import { argumentsOf } from './stdio-program.testing.ts'

/** A server that counts the calls of its idempotent tool, but returns only text. */
const program = argumentsOf({
  declarations: 'let count = 0',
  tools: `[
    { name: 'one_search', description: 'Searches', annotations: { readOnlyHint: true },
      inputSchema: { type: 'object' } },
    { name: 'one_set_name', description: 'Sets', annotations: { readOnlyHint: false, idempotentHint: true },
      inputSchema: { type: 'object' } }]`,
  call: `({ name }) => {
    if (name === 'one_set_name') count += 1
    return { content: [{ type: 'text', text: 'changed ' + count + ' times' }] }
  }`,
})

test('if no result contains data, nothing shows that a repeated call changes none', async () => {
  const run = await startSuite(
    {
      tools: {
        stdio: { command: process.execPath, args: program },
        search: { tool: 'one_search', arguments: {}, query: false },
        calls: { one_set_name: {} },
      },
      suite: suiteDefaults,
    } as never,
    { selection: { only: ['TOOL-HINT-13'] }, throwaway: true },
  )
  const verdicts = await run.verdicts
  await run.finish()
  expect(verdicts).toMatchObject([{ verdict: 'not covered' }])
})

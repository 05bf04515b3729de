import { expect, test } from 'vitest'
import { startSuite } from '../../suite.ts'
import { suiteDefaults } from '../../target-file/index.ts'
import { argumentsOf } from './stdio-program.testing.ts'

/** Judges TOOL-HINT-13 with a server of an idempotent tool. `item` is what its search returns. */
async function judge(item: string, text = `JSON.stringify({ items: [${item}] })`) {
  const program = argumentsOf({
    declarations: 'let changes = 0; let reads = 0',
    tools: `[
      { name: 'one_search', description: 'Searches', annotations: { readOnlyHint: true },
        inputSchema: { type: 'object' } },
      { name: 'one_set_name', description: 'Sets',
        annotations: { readOnlyHint: false, idempotentHint: true },
        inputSchema: { type: 'object' } }]`,
    call: `({ name }) => {
      if (name === 'one_set_name') changes += 1
      else reads += 1
      return { content: [{ type: 'text', text: ${text} }] }
    }`,
  })
  const run = await startSuite(
    {
      tools: {
        stdio: { command: process.execPath, args: program },
        search: { tool: 'one_search', arguments: {}, query: false, items: '/items', id: 'id' },
        calls: { one_set_name: {} },
      },
      suite: suiteDefaults,
    } as never,
    { selection: { only: ['TOOL-HINT-13'] }, throwaway: true },
  )
  const verdicts = await run.verdicts
  await run.finish()
  return verdicts[0]
}

test('if no result contains data, nothing shows that a repeated call changes none', async () => {
  const verdict = await judge('', `'changed ' + changes + ' times'`)
  expect(verdict).toMatchObject({ verdict: 'not covered' })
})

test('a repeated call that changes data is found', async () => {
  const verdict = await judge(`{ id: 'a', copies: changes }`)
  expect(verdict).toMatchObject({ verdict: 'warn' })
  expect(JSON.stringify(verdict)).toContain('one_search: a: copies')
})

test('the time of the last change may differ in each notation', async () => {
  const verdict = await judge(
    `{ id: 'a', status: 'size: 5\\nmodified: ' + new Date(changes * 1000), at: Math.floor(Date.now() / 1000) + changes }`,
  )
  expect(verdict).toMatchObject({ verdict: 'pass' })
})

test('data that also changes without the call does not count', async () => {
  const verdict = await judge(`{ id: 'a', views: Math.floor((reads + 1) / 4) }`)
  expect(verdict).toMatchObject({ verdict: 'pass' })
})

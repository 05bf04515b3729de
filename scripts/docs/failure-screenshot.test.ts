import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { renderFailureSvg } from './failure-screenshot.ts'

it('docs/failure.svg shows what the command prints today (npm run screenshot)', async () => {
  const committed = await readFile(new URL('../../docs/failure.svg', import.meta.url), 'utf8')
  expect(await renderFailureSvg()).toBe(committed)
})

import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { renderFailureSvg } from './failure-screenshot.ts'

it('docs/failure.svg is up to date (npm run screenshot updates it)', async () => {
  const committed = await readFile(new URL('../../docs/failure.svg', import.meta.url), 'utf8')
  expect(await renderFailureSvg()).toBe(committed)
})

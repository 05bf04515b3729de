import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { explanationLabels } from '../../conformance/report/explanation.ts'

it('docs/failures.md explains every label of a failure', async () => {
  const page = await readFile(new URL('../../docs/failures.md', import.meta.url), 'utf8')
  expect(explanationLabels.filter((label) => !page.includes(`| \`${label}\` `))).toEqual([])
})

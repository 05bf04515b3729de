import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'

const read = (path: string) => readFile(new URL(`../../${path}`, import.meta.url), 'utf8')

it('docs/failures.md explains every label of a failure', async () => {
  const explanation = await read('conformance/report/explanation.ts')
  const labels = [...explanation.matchAll(/\[\s*'([a-z]+)',/g)].map(([, label]) => label!)
  expect(labels).toContain('repeat')
  const page = await read('docs/failures.md')
  expect(labels.filter((label) => !page.includes(`| \`${label}\` `))).toEqual([])
})

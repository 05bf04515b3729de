import { fileURLToPath } from 'node:url'
import { format, resolveConfig } from 'prettier'
import { expect, it } from 'vitest'
import { keys } from '../../conformance/target.ts'
import { targetKeysPage } from './target-keys.ts'

it('docs/target-file.md documents every key of the target file', async () => {
  const file = fileURLToPath(new URL('../../docs/target-file.md', import.meta.url))
  const style = { ...(await resolveConfig(file)), parser: 'markdown' }
  const page = await format(targetKeysPage(keys), style)
  await expect(page).toMatchFileSnapshot(file)
  expect(keys.filter(({ path }) => !page.includes(`\`${path}\``))).toEqual([])
})

import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const page = readFileSync(new URL('../../../ARCHITECTURE.md', import.meta.url), 'utf8')
const [, section = ''] = /^## Glossary\n([\s\S]*?)^## /m.exec(page) ?? []
const words = [...section.matchAll(/^\| (.+?) +\| (.+?) +\|$/gm)]
  .map(([, word, meaning]) => ({ word: word!, meaning: meaning! }))
  .filter(({ word, meaning }) => word !== 'word' && !meaning.startsWith('---'))

it('the glossary has at most 20 words, each once', () => {
  expect(words.length).toBeGreaterThan(10)
  expect(words.length).toBeLessThanOrEqual(20)
  expect(new Set(words.map(({ word }) => word)).size).toBe(words.length)
})

it.each(words)('the glossary explains `$word` without using it', ({ word, meaning }) => {
  expect(meaning.split(/\W+/)).not.toContain(word)
})

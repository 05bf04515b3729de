import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { readScreens } from './page.ts'
import { size } from './terminal.ts'

const page = await readFile(new URL('../../../docs/first-runs.md', import.meta.url), 'utf8')

it('docs/first-runs.md shows screens of 80 columns and 24 lines', () => {
  const screens = readScreens(page)
  expect(screens.length).toBeGreaterThan(5)
  for (const lines of screens.map((screen) => screen.split('\n'))) {
    expect(lines.length).toBeLessThanOrEqual(size.lines)
    for (const line of lines) expect([...line].length).toBeLessThanOrEqual(size.columns)
  }
})

it('docs/first-runs.md shows the commands of README.md', async () => {
  const readme = await readFile(new URL('../../../README.md', import.meta.url), 'utf8')
  const withoutAddress = (command: string) => command.replace(/http:\S+/, 'URL')
  const shown = [...page.matchAll(/^\$ (npx .*)$/gm)].map(([, command]) => withoutAddress(command!))
  expect(shown.length).toBeGreaterThan(5)
  for (const command of shown) expect(withoutAddress(readme)).toContain(command.split(' URL')[0])
})

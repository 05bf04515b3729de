import { expect, it } from 'vitest'
import { ansiToSvg } from './ansi-to-svg.ts'

it('keeps styles and escapes markup', () => {
  const svg = ansiToSvg('\u001b[31m\u001b[1m✗ <id>\u001b[22m\u001b[39m a & b\n', 40)
  expect(svg).toContain('<tspan class="bold red">✗ &lt;id&gt;</tspan> a &amp; b</text>')
})

it('wraps long lines, and indents their continuation', () => {
  const lines = [...ansiToSvg('x'.repeat(50), 40).matchAll(/<text[^>]*>(.*)<\/text>/g)]
  expect(lines.map(([, content]) => content)).toEqual([
    'x'.repeat(40),
    `${' '.repeat(14)}${'x'.repeat(10)}`,
  ])
})

it('rejects codes that it does not know', () => {
  expect(() => ansiToSvg('\u001b[95mx', 40)).toThrow('unknown SGR code 95')
})

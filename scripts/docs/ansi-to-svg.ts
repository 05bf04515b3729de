/** Characters that share one style. */
interface Span {
  readonly text: string
  readonly style: string
}

const fontSize = 13
/** The width of a character of the monospaced font, in pixels. */
const charWidth = 7.83
const lineHeight = 19
const padding = 16

/**
 * Maps each SGR code (an escape code for a style of the terminal) to a class of the style sheet.
 * Codes that reset a style map to an empty string.
 */
const styles: Readonly<Record<string, string>> = {
  '0': '',
  '1': 'bold',
  '2': 'dim',
  '22': '',
  '31': 'red',
  '32': 'green',
  '33': 'yellow',
  '39': '',
}

const css = `
  rect { fill: #1c1f26 }
  text { fill: #e6e6e6; font: ${fontSize}px ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace; white-space: pre }
  .bold { font-weight: bold }
  .dim { fill: #8b93a3 }
  .red { fill: #ff6b68 }
  .green { fill: #7ec699 }
  .yellow { fill: #f0c674 }
`

function spansOf(line: string): Span[] {
  const spans: Span[] = []
  let [weight, colour] = ['', '']
  // Parts with an odd index are codes of escape sequences.
  line.split(/\u001b\[(\d+)m/).forEach((part, index) => {
    if (index % 2 === 1) {
      const style = styles[part]
      if (style === undefined) throw new Error(`unknown SGR code ${part}`)
      if (part === '0') [weight, colour] = ['', '']
      else if (part === '1' || part === '2' || part === '22') weight = style
      else colour = style
    } else if (part !== '') spans.push({ text: part, style: `${weight} ${colour}`.trim() })
  })
  return spans
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** Wraps the spans of a line at a number of characters. Indents continuation lines. */
function wrapped(spans: readonly Span[], columns: number, indent: number): Span[][] {
  const lines: Span[][] = [[]]
  let used = 0
  for (const { text, style } of spans) {
    let rest = text
    while (rest !== '') {
      if (used === columns) {
        lines.push([{ text: ' '.repeat(indent), style: '' }])
        used = indent
      }
      const piece = rest.slice(0, columns - used)
      lines.at(-1)!.push({ text: piece, style })
      used += piece.length
      rest = rest.slice(piece.length)
    }
  }
  return lines
}

/** Returns an SVG image of the output as a terminal with this many columns shows it. */
export function ansiToSvg(output: string, columns: number): string {
  const lines = output
    .trimEnd()
    .split('\n')
    .flatMap((line) => wrapped(spansOf(line), columns, 14))
  const width = Math.ceil(columns * charWidth + 2 * padding)
  const height = lines.length * lineHeight + 2 * padding
  const text = lines.map((spans, index) => {
    const y = padding + index * lineHeight + fontSize
    const content = spans
      .map(({ text, style }) =>
        style === '' ? escaped(text) : `<tspan class="${style}">${escaped(text)}</tspan>`,
      )
      .join('')
    return `  <text x="${padding}" y="${y}" xml:space="preserve">${content}</text>`
  })
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="Terminal output of touchstone test with one failed requirement">`,
    `  <style>${css}  </style>`,
    `  <rect width="${width}" height="${height}" rx="8"/>`,
    ...text,
    '</svg>',
    '',
  ].join('\n')
}

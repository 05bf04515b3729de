import { showHidden } from '../engine/hidden-characters.ts'

/**
 * Wraps a string at spaces into lines of at most `width` characters, and indents all lines but the
 * first. Indents the later lines of a bullet by two more columns. Replaces control characters with
 * visible symbols.
 */
export function wrap(text: string, width: number, indent: number): string {
  const room = Math.max(30, width - indent)
  const lines: string[] = []
  for (const paragraph of showHidden(text).split('\n')) {
    let rest = paragraph
    const hanging = paragraph.startsWith('• ') ? '  ' : ''
    while (rest.length > room) {
      const space = rest.lastIndexOf(' ', room)
      const cut = space > room / 2 ? space : room
      lines.push(rest.slice(0, cut))
      rest = hanging + rest.slice(cut).trimStart()
    }
    lines.push(rest)
  }
  return lines.join(`\n${' '.repeat(indent)}`)
}

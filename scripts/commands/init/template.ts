import { keys, type Key } from '../../../conformance/target/index.ts'

/** What a target file cannot do without; the rest is written as a comment. */
const needed = ['images.url', 'images.account', 'images.token']

/** The text of a target file that gives the least and explains the rest. */
export function template(schema?: string): string {
  const lines = [
    ...(schema === undefined ? [] : [`# yaml-language-server: $schema=${schema}`]),
    '# What Touchstone judges. ${NAME} is a variable of the environment; keep secrets there, not here.',
    '# What is not given is not covered by the checks, and never failed. Remove a # to give it.',
  ]
  let open: string[] = []
  for (const key of keys) {
    const words = key.path.split('.')
    const name = words.pop()!
    // A section is a comment where all of its keys are.
    words.forEach((word, depth) => {
      if (open[depth] === word) return
      const optional = !needed.some((path) => path.startsWith(`${words.slice(0, depth + 1).join('.')}.`))
      if (depth === 0) lines.push('')
      lines.push(line(depth, optional, depth === 0, `${word}:`))
      open = [...open.slice(0, depth), word]
    })
    open = words
    lines.push(line(words.length, !needed.includes(key.path), !needed.some((path) => path.startsWith(`${words[0]!}.`)), leaf(name, key)))
  }
  return `${lines.join('\n')}\n`
}

function leaf(name: string, { example, says, fallback }: Key): string {
  const stands = fallback === undefined ? '' : `; ${fallback} where nothing is said`
  return `${`${name}: ${example}`.padEnd(48)} # ${says}${stands}`
}

/** A line of YAML, or the same as a comment that keeps the indentation of what it would be. */
function line(depth: number, optional: boolean, atMargin: boolean, text: string): string {
  const indent = '  '.repeat(depth)
  if (!optional) return `${indent}${text}`
  return atMargin ? `# ${indent}${text}` : `  # ${'  '.repeat(depth - 1)}${text}`
}

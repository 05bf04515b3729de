import { sectionOf, type Key } from '../../../conformance/target-file/keys.ts'
import { keys } from '../../../conformance/target.ts'

/** What the first section cannot do without; the rest is written as a comment. */
const needed = keys
  .filter(
    ({ path, required }) => required === true && sectionOf(path) === keys[0]?.path.split('.')[0],
  )
  .map(({ path }) => path)

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
    words.forEach((word, depth) => {
      if (open[depth] === word) return
      if (depth === 0) lines.push('')
      const section = words.slice(0, depth + 1)
      lines.push(
        line(
          section,
          needed.some((path) => path.startsWith(`${section.join('.')}.`)),
          `${word}:`,
        ),
      )
      open = section
    })
    lines.push(
      line([...words, name], needed.includes(key.path), `${name}: ${key.example}`).padEnd(54) +
        note(key),
    )
  }
  return `${lines.join('\n')}\n`
}

function note({ description, fallback }: Key): string {
  return ` # ${description}${fallback === undefined ? '' : ` (default: ${fallback})`}`
}

/**
 * A line of YAML, or a comment that is one once `# ` is taken from it: below a section that is
 * given, the `# ` stands inside.
 */
function line(path: readonly string[], given: boolean, text: string): string {
  const indent = '  '.repeat(path.length - 1)
  if (given) return `${indent}${text}`
  const margin = needed.some((known) => known.startsWith(`${path[0]!}.`)) && path.length > 1 ? 2 : 0
  return `${indent.slice(0, margin)}# ${indent.slice(margin)}${text}`
}

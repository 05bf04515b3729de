import { sectionOf, type Key } from '../../../conformance/target-file/keys.ts'
import { keys } from '../../../conformance/target.ts'

/** The required keys of the first section. All other keys are written as comments. */
const needed = keys
  .filter(
    ({ path, required }) => required === true && sectionOf(path) === keys[0]?.path.split('.')[0],
  )
  .map(({ path }) => path)

/**
 * Returns a target file that sets the `needed` keys and contains all other keys as comments.
 * `schema` is the path of the JSON Schema for editors.
 */
export function template(schema?: string): string {
  const lines = [
    ...(schema === undefined ? [] : [`# yaml-language-server: $schema=${schema}`]),
    '# The servers that touchstone test tests. Remove the # before a key to set it.',
    '# ${NAME} is replaced by the environment variable NAME: keep secrets there, not in this file.',
    '# Checks that need a key that is not set are reported as not covered, never as failed.',
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
 * Returns a line of YAML if the key or section is set. Otherwise returns a comment, which becomes a
 * line of YAML if its `# ` is removed. In a section that is set, the `# ` follows the indentation.
 */
function line(path: readonly string[], isSet: boolean, text: string): string {
  const indent = '  '.repeat(path.length - 1)
  if (isSet) return `${indent}${text}`
  const margin = needed.some((known) => known.startsWith(`${path[0]!}.`)) && path.length > 1 ? 2 : 0
  return `${indent.slice(0, margin)}# ${indent.slice(margin)}${text}`
}

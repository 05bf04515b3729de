import { sectionOf, type Key } from '../../../conformance/target-file/keys.ts'
import { identifyingKeys, keys } from '../../../conformance/target.ts'

/** The first part of a path: the kind of server, or `suite`. */
export const kindOf = (path: string): string => path.split('.')[0]!

/** The sections that keys and groups of `suite` are for, if they are not for all. */
const sectionsOfSuite: Readonly<Record<string, readonly string[]>> = {
  pictures: ['images'],
  identity: ['tools'],
  receiver: ['hooks'],
  patience: ['hooks'],
  settle: ['images'],
  watch: ['hooks'],
}

/** Examples of keys of `suite` for one kind of server. Other kinds have the example of the key. */
const examplesOfSections: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'suite.absent': {
    hooks: '{ EVT-PIPELINE: we have no pipelines }',
    receiver: '{ EVT-PIPELINE: we receive no pipeline events }',
    greeting: '{ GRT-AUTH: we have no authentication }',
    tools: '{ TOOL-RESOURCE: we have no resources }',
  },
}

const exampleFor = ({ path, example }: Key, section: string | undefined): string =>
  (section === undefined ? undefined : examplesOfSections[path]?.[section]) ?? example

const isForSection = (key: string, section: string): boolean =>
  sectionsOfSuite[key]?.includes(section) ?? true

export interface TemplateOptions {
  /** The path of the JSON Schema for editors. */
  schema?: string | undefined
  /** The section whose required keys are set; by default the first section. */
  section?: string | undefined
  /** Whether the file contains no keys of other kinds of servers. */
  isAlone?: boolean
}

/**
 * Returns a target file that sets the required keys of a section, and contains all other keys as
 * comments.
 */
export function template({
  schema,
  section = sectionOf(keys[0]!.path),
  isAlone = false,
}: TemplateOptions = {}): string {
  const written = isAlone
    ? keys.filter(
        ({ path }) =>
          kindOf(path) === section ||
          (kindOf(path) === 'suite' && isForSection(path.split('.')[1]!, section)),
      )
    : keys
  const required = written
    .filter((key) => key.required === true && sectionOf(key.path) === section)
    .map(({ path }) => path)
  // If any one of several keys is enough, as for tool servers, sets the first.
  const needed =
    required.length > 0
      ? required
      : identifyingKeys
          .flatMap((paths) => paths.slice(0, 1))
          .filter((path) => sectionOf(path) === section)
  const lines = [
    ...(schema === undefined ? [] : [`# yaml-language-server: $schema=${schema}`]),
    '# The servers to test with touchstone test. Remove the # before a key to set it.',
    '# ${NAME} is replaced by the environment variable NAME: keep secrets there, not in this file.',
    '# If a key is not set, the checks that need it are reported as not covered, not as failed.',
  ]
  let open: string[] = []
  for (const key of written) {
    const words = key.path.split('.')
    const name = words.pop()!
    words.forEach((word, depth) => {
      if (open[depth] === word) return
      if (depth === 0) lines.push('')
      const group = words.slice(0, depth + 1)
      lines.push(
        line(
          group,
          needed.some((path) => path.startsWith(`${group.join('.')}.`)),
          `${word}:`,
          section,
        ),
      )
      open = group
    })
    lines.push(
      line(
        [...words, name],
        needed.includes(key.path),
        `${name}: ${exampleFor(key, isAlone ? section : undefined)}`,
        section,
      ).padEnd(54) + note(key),
    )
  }
  return `${lines.join('\n')}\n`
}

function note({ description, fallback }: Key): string {
  return ` # ${description}${fallback === undefined ? '' : ` (default: ${fallback})`}`
}

/**
 * Returns a line of YAML if the key or section is set. Otherwise returns a comment, from which
 * users can remove the `# `. In the section `set`, the `# ` follows the indentation.
 */
function line(path: readonly string[], isSet: boolean, text: string, set: string): string {
  const indent = '  '.repeat(path.length - 1)
  if (isSet) return `${indent}${text}`
  const margin = path[0] === set && path.length > 1 ? 2 : 0
  return `${indent.slice(0, margin)}# ${indent.slice(margin)}${text}`
}

import { definitionRules } from '../../generated/tools/rules.ts'
import { isObject, type Json } from '../engine/json.ts'
import { isNotBlank, type ReportFinding } from './finding.ts'
import { readInput } from './input.ts'

/** The definition of a tool, and the path of its description. */
export interface DescribedTool {
  readonly tool: Json
  readonly path: string
  readonly report: ReportFinding
}

/** Words that say nothing about a particular tool. */
const emptyWords = new Set(
  (
    'a an the this that these those it its is are be was and or of to for from in on at by with ' +
    'as tool tools function method command action operation named called name call calls use ' +
    'used using uses can you your which mcp server api service'
  ).split(' '),
)

const wordsOf = (text: string): string[] =>
  text
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')

/** Whether one word is a form of the other, such as get and gets. */
const isForm = (one: string, other: string): boolean =>
  one === other ||
  (Math.min(one.length, other.length) >= 3 &&
    Math.abs(one.length - other.length) <= 3 &&
    (one.startsWith(other) || other.startsWith(one)))

/**
 * Whether a description contains only words of the tool's name, forms of these words, and words
 * that say nothing. Such a description states neither the arguments nor the result.
 */
function repeatsName(description: string, name: unknown): boolean {
  if (typeof name !== 'string') return false
  const ofName = wordsOf(name)
  const whole = ofName.join('')
  return wordsOf(description).every(
    (word) => emptyWords.has(word) || word === whole || ofName.some((one) => isForm(word, one)),
  )
}

/** The names of the input fields, and what the tool does according to its hints. */
function purposeOf({ inputSchema, annotations }: Json): string {
  const fields = readInput({ schema: inputSchema, path: '$' }).fields.map(({ name }) => name)
  const { readOnlyHint, destructiveHint } = isObject(annotations) ? annotations : {}
  return JSON.stringify([fields.toSorted(), readOnlyHint, destructiveHint])
}

/**
 * Judges what descriptions state. Two tools with different input fields or hints cannot have the
 * same description, unless it describes both, with their names.
 */
export function judgeDescriptions(tools: readonly DescribedTool[]): void {
  const groups = new Map<string, DescribedTool[]>()
  for (const one of tools) {
    const { description, name } = one.tool
    if (!isNotBlank(description)) continue
    if (repeatsName(description, name)) {
      one.report(
        'description-content',
        one.path,
        'repeats the name',
        definitionRules['/description'].fix,
      )
      continue
    }
    const key = wordsOf(description).join(' ')
    groups.set(key, [...(groups.get(key) ?? []), one])
  }
  for (const same of groups.values()) {
    const describesAll = same.every(
      ({ tool: { name, description } }) =>
        typeof name === 'string' && String(description).includes(name),
    )
    if (describesAll || new Set(same.map(({ tool }) => purposeOf(tool))).size < 2) continue
    for (const { path, report } of same)
      report(
        'description-content',
        path,
        'is also the description of a tool with other fields or hints',
        definitionRules['/description'].fix,
      )
  }
}

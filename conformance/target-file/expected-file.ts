import { writeFile } from 'node:fs/promises'
import type { ExpectedFailure } from '../engine/index.ts'
import { listMistakes, TargetError } from './error.ts'
import { readUserFile } from './user-file.ts'
import { parseYaml } from './yaml.ts'

/** An entry of a file of known failures. */
interface LocatedEntry {
  readonly entry: ExpectedFailure
  /** The location of the id: `expected.yaml:2:7`. */
  readonly location: string
}

/** Reads a file of known failures: a list of entries with `id`, `reason` and optionally `until`. */
export async function readExpectedFile(file: string): Promise<LocatedEntry[]> {
  const read = readUserFile(file)
  if ('wrong' in read)
    throw new TargetError(
      `${file}: ${read.wrong}.\nNext: let \`npx touchstone test --write-expected\` write one.`,
    )
  const { isMap, isScalar, isSeq } = await import('yaml')
  const parsed = await parseYaml(read.text, file)
  if ('wrong' in parsed) throw new TargetError(parsed.wrong)
  const { document, locate } = parsed
  const { contents } = document
  if (contents === null || (isScalar(contents) && contents.value === null)) return []
  if (!isSeq(contents))
    throw new TargetError(
      `${locate(contents.range?.[0])}  is not a list; expected entries with id, reason and optionally until`,
    )
  const problems: string[] = []
  const seen = new Set<string>()
  const offsetOf = (node: unknown) =>
    isMap(node) || isScalar(node) || isSeq(node) ? node.range?.[0] : undefined
  const entries = contents.items.flatMap((item): LocatedEntry[] => {
    if (!isMap(item)) {
      const what = 'is not a map; expected id, reason and optionally until'
      problems.push(`${locate(offsetOf(item))}  ${what}`)
      return []
    }
    /** The location of a member: of its value or, if it has none, of its key or of the entry. */
    const placeOf = (name: string) => {
      const pair = item.items.find(({ key }) => isScalar(key) && key.value === name)
      return locate(offsetOf(pair?.value) ?? offsetOf(pair?.key) ?? offsetOf(item))
    }
    const entry = item.toJSON() as Record<string, unknown>
    const mistakes = mistakesIn(entry, seen)
    problems.push(...mistakes.map(({ member, what }) => `${placeOf(member)}  ${what}`))
    return mistakes.length > 0
      ? []
      : [{ entry: item.toJSON() as ExpectedFailure, location: placeOf('id') }]
  })
  if (problems.length > 0) throw new TargetError(listMistakes(problems))
  return entries
}

const members: readonly string[] = ['id', 'reason', 'until']

/** The mistakes in an entry, each with its member and a phrase that can follow the location. */
function mistakesIn(
  entry: Record<string, unknown>,
  seen: Set<string>,
): { member: string; what: string }[] {
  const { id, reason, until } = entry
  const isText = (value: unknown) => typeof value === 'string' && value.trim() !== ''
  const mistakes = Object.keys(entry)
    .filter((name) => !members.includes(name))
    .map((member) => ({
      member,
      what: `has the unknown key ${member}; expected ${members.join(', ')}`,
    }))
  if (!isText(id) || !/^[A-Z]+(-[A-Z]+)*(-\d+)?$/.test(String(id)))
    mistakes.push({
      member: 'id',
      what: 'has no valid id; expected one such as IMG-UPLOAD-04 or IMG-UPLOAD',
    })
  else if (seen.has(String(id))) mistakes.push({ member: 'id', what: `lists ${String(id)} again` })
  else seen.add(String(id))
  if (!isText(reason)) mistakes.push({ member: 'reason', what: 'has no reason' })
  if (until !== undefined && !isDay(until))
    mistakes.push({
      member: 'until',
      what: 'has a value of until that is not a day; expected a day such as 2026-12-31',
    })
  return mistakes
}

const isDay = (value: unknown): boolean =>
  typeof value === 'string' &&
  /^\d{4}-\d{2}-\d{2}$/.test(value) &&
  !Number.isNaN(Date.parse(value)) &&
  new Date(value).toISOString().startsWith(value)

const head = `# Failures that are known: touchstone test reports them, and does not exit with 1 because of
# them. \`id\` is the id of a requirement, or its first parts, such as IMG-UPLOAD. After the day
# in \`until\`, an entry has no effect.
`

/**
 * Writes a file of known failures. If the file exists, changes only the entries that differ, so
 * that the comments of its users stay.
 */
export async function writeExpectedFile(
  file: string,
  entries: readonly ExpectedFailure[],
): Promise<void> {
  const read = readUserFile(file)
  const changed = 'wrong' in read ? undefined : await changeEntries(read.text, entries)
  const { stringify } = await import('yaml')
  const written = changed ?? `${head}${entries.length === 0 ? '[]\n' : stringify(entries)}`
  if ('wrong' in read || read.text !== written) await writeFile(file, written)
}

/** Returns the list in this YAML with these entries. Undefined if it contains no list. */
async function changeEntries(
  text: string,
  entries: readonly ExpectedFailure[],
): Promise<string | undefined> {
  const { isMap, isSeq, parseDocument } = await import('yaml')
  const document = parseDocument(text)
  const { contents } = document
  if (!isSeq(contents)) return undefined
  const idOf = (item: unknown) => (isMap(item) ? item.get('id') : undefined)
  const before = contents.items.map(idOf)
  const isWanted = (item: unknown) => entries.some(({ id }) => id === idOf(item))
  const added = entries.filter(({ id }) => !before.includes(id))
  const isUnchanged = (item: unknown) =>
    isMap(item) && entries.some(({ id, until }) => id === idOf(item) && until === item.get('until'))
  if (added.length === 0 && contents.items.every(isUnchanged)) return text
  contents.items = contents.items.filter(isWanted)
  for (const item of contents.items)
    if (isMap(item) && entries.find(({ id }) => id === idOf(item))?.until === undefined)
      item.delete('until')
  for (const entry of added) document.add(document.createNode(entry))
  // An empty list can only be written as [], and entries after it as a block.
  if (before.length === 0 || contents.items.length === 0)
    contents.flow = contents.items.length === 0
  return document.toString()
}

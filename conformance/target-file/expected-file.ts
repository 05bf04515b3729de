import { writeFile } from 'node:fs/promises'
import type { ExpectedFailure } from '../engine/index.ts'
import { listMistakes, TargetError } from './error.ts'
import { readEntries } from './expected-entries.ts'
import { readUserFile } from './user-file.ts'
import { parseYaml, valueOf } from './yaml.ts'

/** Reads a file of known failures: a list of entries with `id`, `reason` and optionally `until`. */
export async function readExpectedFile(file: string): Promise<ExpectedFailure[]> {
  const read = readUserFile(file)
  if ('wrong' in read)
    throw new TargetError(
      `${file}: ${read.wrong}.\nNext: let \`npx touchstone test --write-expected\` write one.`,
    )
  const { isScalar, isSeq } = await import('yaml')
  const parsed = await parseYaml(read.text, file)
  if ('wrong' in parsed) throw new TargetError(parsed.wrong)
  const { document, locate } = parsed
  const { contents } = document
  if (contents === null || (isScalar(contents) && contents.value === null)) return []
  const start = locate(contents.range[0])
  if (!isSeq(contents))
    throw new TargetError(
      `${start}  is not a list; expected entries with id, reason and optionally until`,
    )
  const list = valueOf(document)
  if ('wrong' in list) throw new TargetError(`${start}  ${list.wrong}`)
  const { entries, mistakes } = readEntries(list.value as unknown[], (index, member) =>
    parsed.locateItem(contents, index, member),
  )
  if (mistakes.length > 0)
    throw new TargetError(
      listMistakes(mistakes.map(({ location, what }) => `${location}  ${what}`)),
    )
  return entries
}

const head = `# Failures that are known: touchstone test reports them, and does not exit with 1 because of
# them. \`id\` is the id of a requirement, or its first parts, such as IMG-UPLOAD. After the day
# in \`until\`, an entry has no effect.
`

/**
 * Writes a file of known failures. If the file exists, only adds the entries that it does not
 * contain, and removes those that are not in `entries`: what its users wrote stays.
 */
export async function writeExpectedFile(
  file: string,
  entries: readonly ExpectedFailure[],
): Promise<void> {
  const read = readUserFile(file)
  const { stringify } = await import('yaml')
  const list = entries.length === 0 ? '[]\n' : stringify(entries)
  const written =
    'wrong' in read
      ? `${head}${list}`
      : ((await changeEntries(read.text, entries)) ?? `${commentsIn(read.text) || head}${list}`)
  if ('wrong' in read || read.text !== written) await writeFile(file, written)
}

/** The lines with comments in a file that contains no list. */
const commentsIn = (text: string): string =>
  (text.match(/^#.*$/gm) ?? []).map((line) => `${line}\n`).join('')

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
  if (added.length === 0 && contents.items.every(isWanted)) return text
  /** Comments above removed entries that explain more than these entries. */
  let kept: string[] = []
  /** The comment above the next entry is separated by an empty line, unless it is `head`. */
  let separator = '\n'
  contents.items = contents.items.filter((item, index) => {
    if (!isMap(item)) return true
    if (!isWanted(item)) {
      if (item.commentBefore === headComment) separator = ''
      kept.push(...commentsToKeep(item.commentBefore, index === 0))
      return false
    }
    if (kept.length > 0)
      item.commentBefore = joinComments([...kept, item.commentBefore ?? separator])
    kept = []
    separator = '\n'
    return true
  })
  for (const entry of added) document.add(document.createNode(entry))
  const [first] = contents.items
  if (isMap(first)) {
    first.spaceBefore = false
    // If all earlier entries were removed, their head belongs above the new ones.
    if (contents.items.length === added.length && kept.length > 0)
      first.commentBefore = joinComments([...kept.splice(0), separator])
  }
  if (contents.items.length === 0 && kept.length > 0)
    document.commentBefore = joinComments([document.commentBefore, ...kept])
  else if (kept.length > 0) document.comment = joinComments([...kept, document.comment])
  // An empty list can only be written as [], and entries after it as a block.
  if (before.length === 0 || contents.items.length === 0)
    contents.flow = contents.items.length === 0
  const changed = document.toString()
  return separator === '' ? changed.replace(/\n\n\[\]\n$/, '\n[]\n') : changed
}

/** The comment that `head` is, if it is directly above an entry. */
const headComment = head.replace(/^#/gm, '').trimEnd()

/**
 * Returns the paragraphs of a comment above a removed entry that belong to the file or to a group
 * of entries. A paragraph directly above the entry explains the entry, unless it is the only one at
 * the head of the file.
 */
function commentsToKeep(comment: string | null | undefined, isFirst: boolean): string[] {
  const paragraphs = (comment?.split('\n\n') ?? []).map((one) => one.replace(/\n$/, ''))
  // An empty line after a comment is a line break at its end.
  const isApart = comment?.endsWith('\n') === true || (isFirst && paragraphs.length === 1)
  return isApart ? paragraphs : paragraphs.slice(0, -1)
}

/** Joins comments as paragraphs. A line break at the end becomes an empty line. */
const joinComments = (comments: readonly (string | null | undefined)[]): string =>
  comments
    .filter((one) => one !== undefined && one !== null && one !== '')
    .join('\n\n')
    .replace(/\n+$/, '\n')

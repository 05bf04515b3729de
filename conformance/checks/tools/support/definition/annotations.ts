import { isObject, type Json } from '../../../../engine/index.ts'
import { isNotBlank, preview, childPath, type Hint, type ReportFinding } from './finding.ts'

/** The hints, with the question that each answers. */
const hints: readonly (readonly [hint: Hint, asks: string])[] = [
  ['readOnlyHint', 'true where it changes nothing'],
  ['destructiveHint', 'true where something may be lost'],
  ['idempotentHint', 'true where a second call with the same arguments does nothing more'],
  ['openWorldHint', 'true where it deals with others than the server itself'],
]

/** Judges what a tool says of itself. `path` is that of the tool. */
export function judgeAnnotations(tool: Json, path: string, note: ReportFinding): void {
  const at = childPath(path, 'annotations')
  const given = isObject(tool.annotations) ? tool.annotations : {}
  const where = (member: string) =>
    member in given ? childPath(at, member) : 'annotations' in tool ? at : path
  judgeTitle(tool, given, where('title'), note)
  for (const [hint, asks] of hints) {
    const value = given[hint]
    if (value === undefined)
      note(
        hint,
        where(hint),
        `has no annotations.${hint}`,
        `add annotations.${hint}: ${asks}, else false`,
      )
    else if (typeof value !== 'boolean')
      note(
        hint,
        where(hint),
        `is ${preview(value)}, not true or false`,
        `make it a boolean: ${asks}, else false`,
      )
  }
  if (given.readOnlyHint === true && given.destructiveHint === true) {
    note(
      'contradiction',
      childPath(at, 'destructiveHint'),
      'is true beside readOnlyHint true: clients pass by the one or the other',
      'decide: what only reads destroys nothing',
      'warning',
    )
  }
}

function judgeTitle(tool: Json, given: Json, path: string, note: ReportFinding): void {
  if (given.title === undefined && isNotBlank(tool.title))
    note(
      'title',
      path,
      'has a title, but none in its annotations',
      `add annotations.title: ${preview(tool.title)}`,
    )
  else if (given.title === undefined)
    note('title', path, 'has no annotations.title', 'add annotations.title, a name for people')
  else if (!isNotBlank(given.title))
    note(
      'title',
      path,
      `is ${preview(given.title)}, not a name that people can read`,
      'write a name for people',
    )
  else if (given.title === tool.name)
    note(
      'title',
      path,
      'repeats the name',
      'write a name for people, such as "Search books"',
      'warning',
    )
}

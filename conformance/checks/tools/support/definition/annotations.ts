import { isObject, type Json } from '../../../../engine/index.ts'
import { isNotBlank, preview, childPath, type Hint, type ReportFinding } from './finding.ts'

/** The hints, with the condition under which each is true. */
const hints: readonly (readonly [hint: Hint, condition: string])[] = [
  ['readOnlyHint', 'true if the tool changes nothing'],
  ['destructiveHint', 'true if data may be lost'],
  ['idempotentHint', 'true if a second call with the same arguments has no further effect'],
  ['openWorldHint', 'true if the tool reaches systems outside the server'],
]

/** Judges the annotations of a tool. `path` is the path of the tool. */
export function judgeAnnotations(tool: Json, path: string, report: ReportFinding): void {
  const at = childPath(path, 'annotations')
  const annotations = isObject(tool.annotations) ? tool.annotations : {}
  const pathOf = (member: string) =>
    member in annotations ? childPath(at, member) : 'annotations' in tool ? at : path
  judgeTitle(tool, annotations, pathOf('title'), report)
  for (const [hint, condition] of hints) {
    const value = annotations[hint]
    if (value === undefined)
      report(
        hint,
        pathOf(hint),
        `has no annotations.${hint}`,
        `add annotations.${hint}: ${condition}, otherwise false`,
      )
    else if (typeof value !== 'boolean')
      report(
        hint,
        pathOf(hint),
        `is ${preview(value)}, not true or false`,
        `make it a boolean: ${condition}, otherwise false`,
      )
  }
  if (annotations.readOnlyHint === true && annotations.destructiveHint === true) {
    report(
      'contradiction',
      childPath(at, 'destructiveHint'),
      'is true although readOnlyHint is true: clients ignore one of them',
      'set one of them to false: a tool that only reads destroys nothing',
      'warning',
    )
  }
}

function judgeTitle(tool: Json, annotations: Json, path: string, report: ReportFinding): void {
  if (annotations.title === undefined && isNotBlank(tool.title))
    report(
      'title',
      path,
      'has a title, but no annotations.title',
      `add annotations.title: ${preview(tool.title)}`,
    )
  else if (annotations.title === undefined)
    report(
      'title',
      path,
      'has no annotations.title',
      'add annotations.title, a human-readable name',
    )
  else if (!isNotBlank(annotations.title))
    report(
      'title',
      path,
      `is ${preview(annotations.title)}, not a readable name`,
      'write a human-readable name',
    )
  else if (annotations.title === tool.name)
    report(
      'title',
      path,
      'repeats the name',
      'write a human-readable name, such as "Search books"',
      'warning',
    )
}

import { isObject, type Json } from '../engine/json.ts'
import { childPath, type ReportFinding } from './finding.ts'

/**
 * Finds a title that repeats the tool's name, and annotations that contradict each other. `path` is
 * the path of the tool.
 */
export function judgeAnnotations(
  { name, annotations }: Json,
  path: string,
  report: ReportFinding,
): void {
  if (!isObject(annotations)) return
  const at = childPath(path, 'annotations')
  if (annotations['title'] !== undefined && annotations['title'] === name)
    report(
      'title',
      childPath(at, 'title'),
      'repeats the name',
      'write a human-readable name, such as "Search books"',
      'warning',
    )
  if (annotations['readOnlyHint'] === true && annotations['destructiveHint'] === true)
    report(
      'contradiction',
      childPath(at, 'destructiveHint'),
      'is true although readOnlyHint is true: clients ignore one of them',
      'set one of them to false: a tool that only reads destroys nothing',
      'warning',
    )
}

import { isObject, type Json } from '../engine/json.ts'
import { childPath, isNotBlank, type ReportFinding } from './finding.ts'

/** Words joined by underscores, such as `search_books`. */
const snakeCase = /^[a-z0-9]+(_[a-z0-9]+)+$/

/** Whether a title is the name of its tool, in any capitalization, or another technical name. */
const isTechnical = (title: string, name: unknown): boolean =>
  snakeCase.test(title) || (isNotBlank(name) && title.toLowerCase() === name.toLowerCase())

/** The actions in names of tools that change data, and those that destroy data. */
const changing = /^(update|delete|destroy|erase|purge)$/
const destroying = /^(delete|destroy|erase|purge)$/

/** The action in the name of a tool, which has the form `service_action_object`. */
const actionOf = (name: unknown): string =>
  typeof name === 'string' && snakeCase.test(name) ? name.split('_')[1]! : ''

/**
 * Finds a title that is a technical name, and annotations that contradict each other or the name of
 * the tool. `path` is the path of the tool.
 */
export function judgeAnnotations(
  { name, annotations }: Json,
  path: string,
  report: ReportFinding,
): void {
  if (!isObject(annotations)) return
  const at = childPath(path, 'annotations')
  const { title } = annotations
  if (isNotBlank(title) && isTechnical(title.trim(), name))
    report(
      'title-content',
      childPath(at, 'title'),
      'is a technical name',
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
  const action = actionOf(name)
  if (annotations['readOnlyHint'] === true && changing.test(action))
    report(
      'name-contradiction',
      childPath(at, 'readOnlyHint'),
      `is true although the name of the tool says ${action}`,
      'set readOnlyHint to false, or name what the tool reads',
      'warning',
    )
  if (annotations['destructiveHint'] === false && destroying.test(action))
    report(
      'name-contradiction',
      childPath(at, 'destructiveHint'),
      `is false although the name of the tool says ${action}`,
      'set destructiveHint to true: clients ask their users before such calls',
      'warning',
    )
}

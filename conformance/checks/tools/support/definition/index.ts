import { isObject, type Json } from '../../../../engine/index.ts'
import { judgeAnnotations } from './annotations.ts'
import { judgeCommonField } from './common.ts'
import { judgeField } from './field.ts'
import {
  isNotBlank,
  preview,
  childPath,
  type DefinitionFinding,
  type ReportFinding,
} from './finding.ts'
import { nestedFields, readInput } from './input.ts'
import { judgeNames, judgeServerName, type NamedTool } from './names.ts'
import { danglingReferences, branchesOf } from './schema.ts'

export type { DefinitionFinding, DefinitionRule } from './finding.ts'

/**
 * How the definitions of a server's tools differ from the conventions. `definitions` is the `tools` of a tools/list result, whatever came for it; `at` is the JSON
 * path at which it stands. The server's name is judged, and that of the tools by it, where it is given. Never throws.
 */
export function findingsOf(
  definitions: unknown,
  serverName?: string,
  at = '$.tools',
): DefinitionFinding[] {
  const findings: DefinitionFinding[] = []
  const noteFor =
    (tool: string | undefined): ReportFinding =>
    (rule, path, says, mend, severity = 'error') => {
      findings.push({
        rule,
        ...(tool === undefined ? {} : { tool }),
        path,
        severity,
        problem: says,
        fix: mend,
      })
    }
  const noteAll = noteFor(undefined)
  if (serverName !== undefined) judgeServerName(serverName, noteAll)
  if (!Array.isArray(definitions)) {
    noteAll(
      'list',
      at,
      `is ${preview(definitions)}, not a list of tools`,
      'answer tools/list with an array of tools',
    )
    return findings
  }
  const named: NamedTool[] = []
  const judging: (() => void)[] = []
  for (const [index, tool] of (definitions as unknown[]).entries()) {
    const path = childPath(at, index)
    if (!isObject(tool)) {
      noteAll(
        'definition',
        path,
        `is ${preview(tool)}, not the definition of a tool`,
        'describe each tool by an object',
      )
      continue
    }
    const note = noteFor(isNotBlank(tool.name) ? tool.name : undefined)
    if (isNotBlank(tool.name)) named.push({ name: tool.name, path: childPath(path, 'name'), note })
    else
      note(
        'name',
        'name' in tool ? childPath(path, 'name') : path,
        'has no name',
        'call it <service>_<action>_<object>',
      )
    judging.push(() => judgeTool(tool, path, note))
  }
  judgeNames(named, serverName, noteAll, at)
  for (const judge of judging) judge()
  return inOrder(findings, definitions.length, at)
}

/** Those about the server and the list first, then tool by tool, each as it was found. */
function inOrder(
  findings: readonly DefinitionFinding[],
  count: number,
  at: string,
): DefinitionFinding[] {
  const paths = Array.from({ length: count }, (_, index) => childPath(at, index))
  const tools = new Map(paths.map((path): [string, DefinitionFinding[]] => [path, []]))
  const whole: DefinitionFinding[] = []
  for (const finding of findings) {
    const own = tools.get(
      new RegExp(`^.{${at.length}}\\[\\d+\\]`, 's').exec(finding.path)?.[0] ?? '',
    )
    ;(own ?? whole).push(finding)
  }
  return [...whole, ...[...tools.values()].flat()]
}

function judgeTool(tool: Json, path: string, note: ReportFinding): void {
  if (!isNotBlank(tool.description))
    note(
      'description',
      'description' in tool ? childPath(path, 'description') : path,
      'has no description',
      'say what it does, its arguments, what it gives, and when not to use it',
    )
  else if (tool.description.trim() === tool.name)
    note(
      'description',
      childPath(path, 'description'),
      'repeats the name',
      'say what it does, its arguments, what it gives, and when not to use it',
      'warning',
    )
  judgeInput(tool, path, note)
  judgeAnnotations(tool, path, note)
}

function judgeInput(tool: Json, path: string, note: ReportFinding): void {
  const root = { schema: tool.inputSchema, path: childPath(path, 'inputSchema') }
  if (!isObject(root.schema)) {
    note(
      'input-schema',
      'inputSchema' in tool ? root.path : path,
      'has no inputSchema that is an object',
      'describe the arguments by a JSON Schema; without any: { "type": "object" }',
    )
    return
  }
  if (root.schema.type !== 'object')
    note(
      'input-schema',
      'type' in root.schema ? childPath(root.path, 'type') : root.path,
      'is not of type object',
      'give it "type": "object"',
    )
  if ('properties' in root.schema && !isObject(root.schema.properties))
    note(
      'input-schema',
      childPath(root.path, 'properties'),
      'does not name its fields',
      'give an object with a schema for each field',
    )
  for (const { path: at, reference } of danglingReferences(root))
    note(
      'input-schema',
      at,
      `refers to ${reference}, which is not there`,
      'put it there, or refer to another place',
    )

  const { fields, wrapper } = readInput(root)
  const told =
    wrapper === undefined ||
    wrapper.name === 'params' ||
    branchesOf(wrapper.located, root).some(({ parts }) =>
      parts.some(({ schema }) => isNotBlank(schema.description)),
    )
  if (!told)
    note(
      'field-description',
      wrapper.located.path,
      'has no description',
      'say in its description what it means and what may stand there',
      'warning',
    )
  for (const field of fields) {
    judgeField(field.located, root, note, 'error')
    judgeCommonField(field, root, note)
    // That the members of a member are fields too, no sentence says.
    for (const inside of nestedFields(field, root))
      judgeField(inside.located, root, note, 'warning')
  }
}

import { isObject, type Json } from '../../../../engine/index.ts'
import { judgeAnnotations } from './annotations.ts'
import { judgeCommon } from './common.ts'
import { judgeField } from './field.ts'
import { isTold, shown, step, type DefinitionFinding, type Note } from './finding.ts'
import { fieldsInside, inputOf } from './input.ts'
import { judgeNames, judgeServerName, type Named } from './names.ts'
import { danglingIn, waysOf } from './schema.ts'

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
    (tool: string | undefined): Note =>
    (rule, path, says, mend, severity = 'error') => {
      findings.push({ rule, ...(tool === undefined ? {} : { tool }), path, severity, says, mend })
    }
  const noteAll = noteFor(undefined)
  if (serverName !== undefined) judgeServerName(serverName, noteAll)
  if (!Array.isArray(definitions)) {
    noteAll(
      'list',
      at,
      `is ${shown(definitions)}, not a list of tools`,
      'answer tools/list with an array of tools',
    )
    return findings
  }
  const named: Named[] = []
  const judging: (() => void)[] = []
  for (const [index, tool] of (definitions as unknown[]).entries()) {
    const path = step(at, index)
    if (!isObject(tool)) {
      noteAll(
        'definition',
        path,
        `is ${shown(tool)}, not the definition of a tool`,
        'describe each tool by an object',
      )
      continue
    }
    const note = noteFor(isTold(tool.name) ? tool.name : undefined)
    if (isTold(tool.name)) named.push({ name: tool.name, path: step(path, 'name'), note })
    else
      note(
        'name',
        'name' in tool ? step(path, 'name') : path,
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
  const paths = Array.from({ length: count }, (_, index) => step(at, index))
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

function judgeTool(tool: Json, path: string, note: Note): void {
  if (!isTold(tool.description))
    note(
      'description',
      'description' in tool ? step(path, 'description') : path,
      'has no description',
      'say what it does, its arguments, what it gives, and when not to use it',
    )
  else if (tool.description.trim() === tool.name)
    note(
      'description',
      step(path, 'description'),
      'repeats the name',
      'say what it does, its arguments, what it gives, and when not to use it',
      'warning',
    )
  judgeInput(tool, path, note)
  judgeAnnotations(tool, path, note)
}

function judgeInput(tool: Json, path: string, note: Note): void {
  const root = { schema: tool.inputSchema, path: step(path, 'inputSchema') }
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
      'type' in root.schema ? step(root.path, 'type') : root.path,
      'is not of type object',
      'give it "type": "object"',
    )
  if ('properties' in root.schema && !isObject(root.schema.properties))
    note(
      'input-schema',
      step(root.path, 'properties'),
      'does not name its fields',
      'give an object with a schema for each field',
    )
  for (const { path: at, reference } of danglingIn(root))
    note(
      'input-schema',
      at,
      `refers to ${reference}, which is not there`,
      'put it there, or refer to another place',
    )

  const { fields, wrapper } = inputOf(root)
  const told =
    wrapper === undefined ||
    wrapper.name === 'params' ||
    waysOf(wrapper.place, root).some(({ parts }) =>
      parts.some(({ schema }) => isTold(schema.description)),
    )
  if (!told)
    note(
      'field-description',
      wrapper.place.path,
      'has no description',
      'say in its description what it means and what may stand there',
      'warning',
    )
  for (const field of fields) {
    judgeField(field.place, root, note, 'error')
    judgeCommon(field, root, note)
    // That the members of a member are fields too, no sentence says.
    for (const inside of fieldsInside(field, root)) judgeField(inside.place, root, note, 'warning')
  }
}

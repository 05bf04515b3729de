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
 * Compares the definitions of a server's tools with the conventions. `definitions` is the `tools`
 * of a tools/list result, valid or not, and `at` is its JSON path. If the server's name is passed,
 * it is judged too, and the names of the tools are compared with it. Never throws.
 */
export function findingsOf(
  definitions: unknown,
  serverName?: string,
  at = '$.tools',
): DefinitionFinding[] {
  const findings: DefinitionFinding[] = []
  const reporterFor =
    (tool: string | undefined): ReportFinding =>
    (rule, path, problem, fix, severity = 'error') => {
      findings.push({
        rule,
        ...(tool === undefined ? {} : { tool }),
        path,
        severity,
        problem,
        fix,
      })
    }
  const reportAll = reporterFor(undefined)
  if (serverName !== undefined) judgeServerName(serverName, reportAll)
  if (!Array.isArray(definitions)) {
    reportAll(
      'list',
      at,
      `is ${preview(definitions)}, not a list of tools`,
      'return an array of tools for tools/list',
    )
    return findings
  }
  const named: NamedTool[] = []
  const judging: (() => void)[] = []
  for (const [index, tool] of (definitions as unknown[]).entries()) {
    const path = childPath(at, index)
    if (!isObject(tool)) {
      reportAll(
        'definition',
        path,
        `is ${preview(tool)}, not the definition of a tool`,
        'make each definition an object',
      )
      continue
    }
    const report = reporterFor(isNotBlank(tool.name) ? tool.name : undefined)
    if (isNotBlank(tool.name))
      named.push({ name: tool.name, path: childPath(path, 'name'), report })
    else
      report(
        'name',
        'name' in tool ? childPath(path, 'name') : path,
        'has no name',
        'call it <service>_<action>_<object>',
      )
    judging.push(() => judgeTool(tool, path, report))
  }
  judgeNames(named, serverName, reportAll, at)
  for (const judge of judging) judge()
  return inOrder(findings, definitions.length, at)
}

/** Sorts findings: those about the server and the list first, then tool by tool. */
function inOrder(
  findings: readonly DefinitionFinding[],
  count: number,
  at: string,
): DefinitionFinding[] {
  const paths = Array.from({ length: count }, (_, index) => childPath(at, index))
  const tools = new Map(paths.map((path): [string, DefinitionFinding[]] => [path, []]))
  const general: DefinitionFinding[] = []
  for (const finding of findings) {
    const own = tools.get(
      new RegExp(`^.{${at.length}}\\[\\d+\\]`, 's').exec(finding.path)?.[0] ?? '',
    )
    ;(own ?? general).push(finding)
  }
  return [...general, ...[...tools.values()].flat()]
}

function judgeTool(tool: Json, path: string, report: ReportFinding): void {
  if (!isNotBlank(tool.description))
    report(
      'description',
      'description' in tool ? childPath(path, 'description') : path,
      'has no description',
      'describe what it does, its arguments, its result, and when not to use it',
    )
  else if (tool.description.trim() === tool.name)
    report(
      'description',
      childPath(path, 'description'),
      'repeats the name',
      'describe what it does, its arguments, its result, and when not to use it',
      'warning',
    )
  judgeInput(tool, path, report)
  judgeAnnotations(tool, path, report)
}

function judgeInput(tool: Json, path: string, report: ReportFinding): void {
  const root = { schema: tool.inputSchema, path: childPath(path, 'inputSchema') }
  if (!isObject(root.schema)) {
    report(
      'input-schema',
      'inputSchema' in tool ? root.path : path,
      'has no inputSchema, or it is not an object',
      'describe the arguments with a JSON Schema; without arguments: { "type": "object" }',
    )
    return
  }
  if (root.schema.type !== 'object')
    report(
      'input-schema',
      'type' in root.schema ? childPath(root.path, 'type') : root.path,
      'is not of type object',
      'give it "type": "object"',
    )
  if ('properties' in root.schema && !isObject(root.schema.properties))
    report(
      'input-schema',
      childPath(root.path, 'properties'),
      'is not an object',
      'make it an object with a schema for each field',
    )
  for (const { path: at, reference } of danglingReferences(root))
    report(
      'input-schema',
      at,
      `refers to ${reference}, which does not exist`,
      'define it, or change the reference',
    )

  const { fields, wrapper } = readInput(root)
  const isDescribed =
    wrapper === undefined ||
    wrapper.name === 'params' ||
    branchesOf(wrapper.located, root).some(({ parts }) =>
      parts.some(({ schema }) => isNotBlank(schema.description)),
    )
  if (!isDescribed)
    report(
      'field-description',
      wrapper.located.path,
      'has no description',
      'describe what it means and which values it accepts',
      'warning',
    )
  for (const field of fields) {
    judgeField(field.located, root, report, 'error')
    judgeCommonField(field, root, report)
    // The document does not say whether nested members are fields, so these are warnings.
    for (const inside of nestedFields(field, root))
      judgeField(inside.located, root, report, 'warning')
  }
}

import { toolDefinition } from '../../generated/tools/contract.ts'
import { definitionRules, partRules } from '../../generated/tools/rules.ts'
import { isObject, type Json } from '../engine/json.ts'
import { judgeAnnotations } from './annotations.ts'
import { judgeCommonField } from './common.ts'
import { judgeDescriptions, type DescribedTool } from './descriptions.ts'
import { judgeField } from './field.ts'
import {
  childPath,
  isNotBlank,
  preview,
  ruleRequirements,
  type DefinitionFinding,
  type DefinitionRule,
  type ReportFinding,
} from './finding.ts'
import { nestedFields, readInput } from './input.ts'
import { judgeNames, judgeServerName, type NamedTool } from './names.ts'
import { danglingReferences, branchesOf } from './branches.ts'

/**
 * Compares the definitions of a server's tools with the conventions. `definitions` is the `tools`
 * of a tools/list result, valid or not, and `at` is its JSON path. If `serverName` is passed,
 * judges it too, and compares the names of the tools with it. Never throws.
 *
 * @example
 * for (const { tool, problem, fix } of findingsOf([{ name: 'shelf_getBook' }], 'shelf_mcp'))
 *   console.warn(`${tool ?? 'server'} ${problem}: ${fix}`)
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
        requirement: ruleRequirements[rule],
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
  const described: DescribedTool[] = []
  const judging: (() => void)[] = []
  for (const [index, tool] of (definitions as unknown[]).entries()) {
    const path = childPath(at, index)
    const report = reporterFor(
      isObject(tool) && isNotBlank(tool['name']) ? tool['name'] : undefined,
    )
    if (!isObject(tool)) {
      reportSchemaViolations(tool, path, report)
      continue
    }
    if (typeof tool['name'] === 'string')
      named.push({ name: tool['name'], path: childPath(path, 'name'), report })
    described.push({ tool, path: childPath(path, 'description'), report })
    judging.push(() => judgeTool(tool, path, report))
  }
  judgeNames(named, serverName, reportAll, at)
  for (const judge of judging) judge()
  judgeDescriptions(described)
  return inOrder(findings, definitions.length, at)
}

/** Sorts findings: first those about the server and the list, then those about each tool. */
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
  reportSchemaViolations(tool, path, report)
  judgeInput(tool, path, report)
  judgeAnnotations(tool, path, report)
}

/**
 * Reports each part of a definition that violates the schema of definitions. Ignores the input
 * fields, which `judgeInput` examines.
 */
function reportSchemaViolations(tool: unknown, path: string, report: ReportFinding): void {
  for (const { path: pointer, received, message } of toolDefinition.validate(withoutFields(tool))) {
    // `judgeNames` reports this name, and suggests another one.
    if (pointer === '/name' && typeof received === 'string') continue
    const steps = pointer.split('/').slice(1)
    const isAbsent = received === undefined
    const { rule, fix } = ruleAt(pointer)
    report(
      rule,
      (isAbsent ? steps.slice(0, -1) : steps).reduce(childOf, path),
      isAbsent ? `has no ${steps.join('.')}` : `is ${preview(received)}, not ${message}`,
      rule === 'title' && isObject(tool) && isNotBlank(tool['title'])
        ? `add annotations.title: ${preview(tool['title'])}`
        : fix,
    )
  }
}

function withoutFields(tool: unknown): unknown {
  if (!isObject(tool) || !isObject(tool['inputSchema'])) return tool
  const { properties } = tool['inputSchema']
  return isObject(properties)
    ? { ...tool, inputSchema: { ...tool['inputSchema'], properties: {} } }
    : tool
}

const childOf = (path: string, step: string) =>
  childPath(path, /^\d+$/.test(step) ? Number(step) : step)

/** The rule for a JSON pointer, or for its nearest parent that has a rule. */
const ruleAt = (pointer: string): { rule: DefinitionRule; fix: string } =>
  pointer in definitionRules
    ? definitionRules[pointer as keyof typeof definitionRules]
    : ruleAt(pointer.slice(0, pointer.lastIndexOf('/')))

function judgeInput(tool: Json, path: string, report: ReportFinding): void {
  const root = { schema: tool['inputSchema'], path: childPath(path, 'inputSchema') }
  if (!isObject(root.schema)) return
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
      partRules['field-description'].fix,
      'warning',
    )
  for (const field of fields) {
    judgeField(field.located, root, report, 'error')
    judgeCommonField(field, root, report)
    // The document does not say whether nested members are fields, so findings about them are
    // warnings.
    for (const inside of nestedFields(field, root))
      judgeField(inside.located, root, report, 'warning')
  }
}

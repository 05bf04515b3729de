import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import * as contract from '../../generated/tools/contract.ts'
import { commonFields, definitionRules, partRules } from '../../generated/tools/rules.ts'
import { readToolSchemas } from '../generate/tools.ts'
import { root } from '../generate/source.ts'

// A rule that a schema of the tool servers states has one source: the schema. These tests find
// requirements of a schema that no code derives from it, and requirements that two derivations
// cover.

/** The requirements of the schemas, each with the schemas that contain it. */
function requirementsOfSchemas(): Map<string, string[]> {
  const found = new Map<string, string[]>()
  const collect = (name: string, node: unknown) => {
    if (typeof node !== 'object' || node === null) return
    const requirement = (node as { 'x-requirement'?: string })['x-requirement']
    if (requirement !== undefined)
      found.set(requirement, [...new Set([...(found.get(requirement) ?? []), name])])
    for (const part of Object.values(node)) collect(name, part)
  }
  for (const [name, schema] of Object.entries(readToolSchemas())) collect(name, schema)
  return found
}

const { paginationResult, truncation, errorMessage, toolDefinition, serverName } = contract
const requirementsOf = ({ fields, conditions }: typeof toolDefinition) =>
  [...fields, ...conditions].map(({ requirement }) => requirement)

/** The requirements that the findings about definitions derive, and those of the checks. */
const ofDefinitions = new Set<string>([
  ...requirementsOf(toolDefinition),
  ...Object.values({ ...definitionRules, ...partRules, ...commonFields }).map(
    ({ requirement }) => requirement,
  ),
])
const ofResults = [paginationResult, truncation, errorMessage].map(
  (message) => new Set<string>(requirementsOf(message)),
)

it('derives each requirement of a schema once', () => {
  const sources = [ofDefinitions, ...ofResults]
  for (const requirement of requirementsOfSchemas().keys())
    expect([requirement, sources.filter((source) => source.has(requirement)).length]).toEqual([
      requirement,
      1,
    ])
})

it('derives the rules for the name of a server from one schema', () => {
  expect(new Set(requirementsOf(serverName))).toEqual(
    new Set([partRules['server-name'].requirement, partRules['server-version'].requirement]),
  )
})

it('derives each expectation of a result that a schema states', () => {
  const folder = join(root, 'conformance/checks/tools/topics')
  const topics = readdirSync(folder)
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map((file) => readFileSync(join(folder, file), 'utf8'))
  // `watchPages` derives the expectations of the requirement that it is called with.
  const calls = /(?:onformsTo(?:<\w+>)?|watchPages)\(\s*(?:'\w+',\s*)?'(TOOL-[A-Z]+-\d+)'/g
  const derived = topics.flatMap((text) =>
    [...text.matchAll(calls)].map(([, requirement]) => requirement),
  )
  expect([...new Set(derived)].sort()).toEqual([...ofResults.flatMap((all) => [...all])].sort())
  // The fields of pages and truncated results whose form a check would otherwise state again.
  const repeated = topics.flatMap(
    (text) =>
      text.match(
        /(?:typeof|isInteger\(|isCount\()[^\n]*json\['?(?:total|count|offset|has_more|next_offset|truncat)/g,
      ) ?? [],
  )
  expect(repeated).toEqual([])
})

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import * as generated from '../../../generated/tools/index.ts'
import {
  ruleRequirements,
  validateToolDefinition,
  type DefinitionFinding,
} from '../../../conformance/definitions/entry-point.ts'
import { generateCorpus } from '../../../conformance/definitions/corpus.testing.ts'
import { readRecordedServers } from '../../../conformance/definitions/recorded.testing.ts'
import { findFamily } from '../../../conformance/proof/families.ts'
import { judgeServer } from '../../../conformance/proof/trial.ts'
import { everythingEntry } from '../../../conformance/proof/peers/everything.ts'
import { commandOf } from '../command.testing.ts'
import { describe as describeLintToolsCommand } from '../lint-tools.ts'
import { fetchTools } from '../tool-list/live.ts'

const folder = mkdtempSync(join(tmpdir(), 'touchstone-agreement-'))
afterAll(() => rmSync(folder, { recursive: true }))

const lint = commandOf('lint-tools', describeLintToolsCommand)

/** The name of the server that lists the definitions, unless a test sets another. */
const mockName = 'shelf_mcp'

/**
 * Returns the errors that `touchstone lint-tools` reports for a server with only these definitions.
 */
async function lintErrors(
  definitions: readonly unknown[],
  serverName = mockName,
): Promise<DefinitionFinding[]> {
  const file = join(folder, 'tools.json')
  writeFileSync(file, JSON.stringify({ tools: definitions }))
  const { out } = await lint(file, '--json', '--server-name', serverName)
  return out
    .trim()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as DefinitionFinding)
    .filter(({ severity }) => severity === 'error')
}

const definitional = new Set<string>(Object.values(ruleRequirements))

interface Reply {
  result?: { tools?: unknown; serverInfo?: object }
}

/** Returns the requirements that fail in `touchstone test` for a server with these definitions. */
async function failedRequirements(
  definitions: readonly unknown[],
  serverName = mockName,
): Promise<string[]> {
  const replace = ({ result, ...message }: Reply): Reply => {
    if (Array.isArray(result?.tools))
      return { ...message, result: { ...result, tools: definitions } }
    const serverInfo = result?.serverInfo
    return serverInfo === undefined
      ? { ...message, ...(result === undefined ? {} : { result }) }
      : { ...message, result: { ...result, serverInfo: { ...serverInfo, name: serverName } } }
  }
  const verdicts = await judgeServer(findFamily('tools'), {
    deviation: {
      message: (direction: string, message: Reply) =>
        direction === 'out' ? replace(message) : message,
    } as never,
    seed: 1,
    selected: ({ requirement }) => definitional.has(requirement),
  })
  return [
    ...new Set(
      verdicts.flatMap(({ verdict, requirement }) => (verdict === 'fail' ? [requirement] : [])),
    ),
  ].sort()
}

/**
 * Whether a finding is about one definition. The rules below are about several tools or the server.
 */
const isOfOneTool = ({ rule }: DefinitionFinding) =>
  !['prefix', 'service', 'duplicate', 'list', 'server-name', 'server-version'].includes(rule)

type Counts = Record<'valid' | 'invalid' | 'refusedBySchema', number>

/**
 * Expects that the package, `touchstone test` and `touchstone lint-tools` agree about each
 * definition.
 */
async function expectAgreement(definitions: readonly unknown[]): Promise<Counts> {
  const counts: Counts = { valid: 0, invalid: 0, refusedBySchema: 0 }
  for (const definition of definitions) {
    const errors = await lintErrors([definition])
    const text = JSON.stringify(definition)
    expect([text, await failedRequirements([definition])]).toEqual([
      text,
      [...new Set(errors.map(({ requirement }) => requirement))].sort(),
    ])
    const isValid = !errors.some(isOfOneTool)
    expect([text, validateToolDefinition(definition)]).toEqual([text, isValid])
    // A schema cannot state every rule, but must not be stricter than the rules.
    const passesSchema = generated.validateToolDefinition(definition)
    if (isValid) expect([text, passesSchema]).toEqual([text, true])
    counts[isValid ? 'valid' : 'invalid'] += 1
    if (!passesSchema) counts.refusedBySchema += 1
  }
  return counts
}

describe('the package, touchstone test and touchstone lint-tools', () => {
  const corpus = generateCorpus(20_261_123, 160)

  test(`agree about ${corpus.length} definitions`, async () => {
    expect(corpus.length).toBeGreaterThan(300)
    expect(await expectAgreement(corpus)).toEqual({
      valid: 152,
      invalid: 257,
      refusedBySchema: 197,
    })
  })

  test('agree about the tools of a running server', async () => {
    const { tools } = await fetchTools('stdio', {
      stdio: `${process.execPath} ${everythingEntry} stdio`,
    })
    expect(tools.length).toBeGreaterThan(5)
    expect(await expectAgreement(tools)).toMatchObject({ invalid: tools.length })
  })

  const recorded = readRecordedServers()

  const recordedTools = recorded.flatMap(({ tools }) => tools)

  test('agree about the recorded tools of published servers', async () => {
    expect(recorded.length).toBeGreaterThanOrEqual(8)
    const count = recordedTools.length
    expect(await expectAgreement(recordedTools)).toEqual({
      valid: 0,
      invalid: count,
      refusedBySchema: count,
    })
  })

  // No published tool follows the conventions for names and annotations. Here they do, so that only
  // their descriptions and input schemas differ.
  test('agree about the recorded input schemas of published servers', async () => {
    const annotations = { title: 'Find books', readOnlyHint: true, openWorldHint: false }
    const definitions = recordedTools.map((tool) => ({
      ...tool,
      name: 'shelf_find_books',
      annotations,
    }))
    expect(await expectAgreement(definitions)).toEqual({
      valid: 20,
      invalid: 193,
      refusedBySchema: 191,
    })
  })

  // The names of tools, their number and the name of the server are judged together.
  test.for(recorded)('agree about all tools of $package together', async (server) => {
    const errors = await lintErrors(server.tools, server.serverName)
    const requirements = errors.map(({ requirement }) => requirement)
    expect(await failedRequirements(server.tools, server.serverName)).toEqual(
      [...new Set(requirements)].sort(),
    )
    expect(requirements).not.toEqual([])
  })
})

import { expect, test } from 'vitest'
import { requirements, type RequirementId } from '../../generated/requirements/index.ts'
import type { Outcome, Verdict } from '../engine/index.ts'
import { profilesOf } from './profiles.ts'

function verdict(
  requirement: RequirementId,
  outcome: Outcome,
  rest: Partial<Verdict> = {},
): Verdict {
  const { contract, topic, role, level } = requirements[requirement]
  return {
    key: `${requirement} is met`,
    requirement,
    title: 'is met',
    contract,
    topic,
    role,
    level,
    verdict: outcome,
    expectations: [],
    exchanges: [],
    durationMs: 1,
    ...rest,
  }
}

const meanings = (...verdicts: Verdict[]) =>
  profilesOf({ verdicts, strict: false, exit: 0, protocolVersions: ['2025-11-25'] }).map(
    ({ title, meaning }) => `${title}: ${meaning}`,
  )

test('a server that breaks a convention can still meet the requirements of the protocol', () => {
  expect(
    meanings(
      verdict('TOOL-MCP-01', 'pass'),
      verdict('TOOL-SERVER-03', 'fail'),
      verdict('TOOL-HINT-01', 'fail'),
    ),
  ).toEqual(['MCP 2025-11-25: conformant', 'conventions: 2 requirements not met'])
})

test('a server that breaks the protocol can still meet all conventions', () => {
  expect(meanings(verdict('TOOL-MCP-01', 'fail'), verdict('TOOL-SERVER-03', 'pass'))).toEqual([
    'MCP 2025-11-25: 1 requirement not met',
    'conventions: conformant',
  ])
})

test('the result states how many requirements were not covered', () => {
  expect(
    meanings(
      verdict('TOOL-MCP-01', 'pass'),
      verdict('TOOL-HTTP-02', 'not covered'),
      verdict('TOOL-SERVER-03', 'pass'),
    )[0],
  ).toBe('MCP 2025-11-25: no violation found, but 1 requirement not covered')
})

test('the result states that the run ended early, as with --bail', () => {
  const cancelled = { reasonCode: 'cancelled' } as const
  expect(
    meanings(
      verdict('TOOL-MCP-01', 'pass'),
      verdict('TOOL-HTTP-02', 'not covered', cancelled),
      verdict('TOOL-SERVER-03', 'fail'),
      verdict('TOOL-HINT-01', 'not covered', cancelled),
    ),
  ).toEqual([
    'MCP 2025-11-25: no violation found before the run ended early',
    'conventions: 1 requirement not met before the run ended early',
  ])
})

test('a profile without a check that applies is not called conformant', () => {
  expect(
    meanings(verdict('TOOL-MCP-01', 'pass'), verdict('TOOL-SERVER-03', 'not applicable')),
  ).toEqual([
    'MCP 2025-11-25: conformant',
    'conventions: nothing was judged: no check applies to this server',
  ])
})

test('a convention that is not met does not change the result of the protocol', () => {
  const blocked = verdict('TOOL-CALL-04', 'blocked', {
    blockedBy: 'TOOL-JSON-01',
    reasonCode: 'root-failed',
  })
  const [mcp, conventions] = profilesOf({
    verdicts: [verdict('TOOL-MCP-01', 'pass'), verdict('TOOL-JSON-01', 'fail'), blocked],
    strict: false,
    exit: 1,
  })
  expect(mcp).toMatchObject({ exit: 0, totals: { pass: 1, 'not covered': 1, blocked: 0 } })
  expect(conventions).toMatchObject({ exit: 1, totals: { fail: 1 } })
})

test('a check that a broken protocol blocks is not counted as conformant', () => {
  expect(
    meanings(
      verdict('TOOL-MCP-02', 'blocked', { blockedBy: 'TOOL-HTTP-01', reasonCode: 'root-failed' }),
      verdict('TOOL-SERVER-03', 'blocked', {
        blockedBy: 'TOOL-HTTP-01',
        reasonCode: 'root-failed',
      }),
    ),
  ).toEqual([
    'MCP 2025-11-25: not tested: a basic operation does not work',
    'conventions: not tested: a basic operation does not work',
  ])
})

test('returns no profiles for other servers, without a result, or if only one profile was tested', () => {
  expect(meanings(verdict('IMG-UPLOAD-01', 'pass'))).toEqual([])
  expect(meanings(verdict('TOOL-MCP-01', 'pass'))).toEqual([])
  const verdicts = [verdict('TOOL-MCP-01', 'pass'), verdict('TOOL-SERVER-03', 'pass')]
  expect(profilesOf({ verdicts, strict: false, exit: 3 })).toEqual([])
  expect(profilesOf({ verdicts, strict: false, exit: 130 })).toEqual([])
})

test.each([
  [[], 'MCP'],
  [['2024-11-05', '2025-11-25'], 'MCP 2024-11-05, 2025-11-25'],
])('the title contains the negotiated versions %j', (protocolVersions, title) => {
  const verdicts = [verdict('TOOL-MCP-01', 'pass'), verdict('TOOL-SERVER-03', 'pass')]
  expect(profilesOf({ verdicts, strict: false, exit: 0, protocolVersions })[0]?.title).toBe(title)
})

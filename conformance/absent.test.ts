import { afterAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { startHooks, targetOf } from '../mocks/stateful/hooks.ts'
import { absentWordsFor, verdictWithAbsent } from './absent.ts'
import type { Verdict } from './engine/index.ts'
import { newTrialClock } from './proof/clock.ts'
import { proofSettings } from './proof/trial.ts'
import { absenceLines } from './report/absences.ts'
import { startSuite, type Selection } from './suite.ts'
import { findMissingKeys, loadTarget } from './target.ts'

const notCovered = (rest: Partial<Verdict>) =>
  ({ requirement: 'IMG-BATCH-01', level: 'must', verdict: 'not covered', ...rest }) as Verdict

const outcomeOf = (absent: Record<string, string>, verdict: Verdict) => {
  const { verdict: outcome, reasonCode, reason, needs } = verdictWithAbsent(absent, verdict)
  return { outcome, reasonCode, reason, needs }
}

const applicable = (rest: Partial<Verdict>) => ({
  outcome: 'not covered',
  reasonCode: rest.reasonCode,
  reason: undefined,
  needs: rest.needs,
})

test('a check that lacks a declared key is not applicable', () => {
  const lacking: Partial<Verdict> = {
    needs: ['images.clock', 'images.batch.url'],
    reasonCode: 'key-missing',
  }
  for (const word of ['images.batch', 'images.batch.url', 'IMG-BATCH-01', 'IMG-BATCH', 'IMG'])
    expect(outcomeOf({ [word]: 'we have none' }, notCovered(lacking)), word).toEqual({
      outcome: 'not applicable',
      reasonCode: 'declared-absent',
      reason: `suite.absent lists ${word}: we have none`,
      needs: undefined,
    })
  for (const word of ['images.bat', 'images.batch.token', 'IMG-BATCH-02', 'IMG-BAT'])
    expect(outcomeOf({ [word]: 'we have none' }, notCovered(lacking)), word).toEqual(
      applicable(lacking),
    )
})

test('a check that one of several keys would cover needs all of them to be absent', () => {
  const helped: Partial<Verdict> = {
    requirement: 'TOOL-CALL-01',
    needs: ['tools.search', 'tools.calls'],
    reasonCode: 'key-helps',
  }
  expect(outcomeOf({ 'tools.search': 'none' }, notCovered(helped))).toEqual(applicable(helped))
  expect(
    outcomeOf({ 'tools.search': 'none', 'tools.calls': 'none' }, notCovered(helped)).outcome,
  ).toBe('not applicable')
})

test('a check that is blocked although its requirement is met can be declared', () => {
  const verdict = (reasonCode: 'root-held-alone' | 'root-failed') =>
    notCovered({ verdict: 'blocked', blockedBy: 'IMG-UPLOAD-01', reasonCode })
  expect(outcomeOf({ IMG: 'none' }, verdict('root-held-alone')).outcome).toBe('not applicable')
  expect(outcomeOf({ IMG: 'none' }, verdict('root-failed')).outcome).toBe('blocked')
})

test('a declaration hides neither a failure nor a run that did not get through', () => {
  const absent = { IMG: 'none', 'images.batch': 'none' }
  for (const verdict of ['fail', 'warn', 'pass', 'blocked', 'error', 'known', 'stale'] as const)
    expect(outcomeOf(absent, notCovered({ verdict })).outcome).toBe(verdict)
  for (const reasonCode of ['unreachable', 'rate-limited', 'cancelled'] as const)
    expect(outcomeOf(absent, notCovered({ reasonCode })).outcome).toBe('not covered')
})

test('every entry that applies to a check has an effect', () => {
  const words = ['IMG', 'IMG-BATCH-01', 'images.batch', 'images.clock', 'EVT', 'tools.calls']
  const needs = ['images.batch.url', 'images.clock']
  expect(absentWordsFor(words, notCovered({ needs, reasonCode: 'key-missing' }))).toEqual([
    'IMG',
    'IMG-BATCH-01',
    'images.batch',
    'images.clock',
  ])
  const helped: Partial<Verdict> = {
    needs: ['tools.search', 'tools.calls'],
    reasonCode: 'key-helps',
  }
  expect(absentWordsFor(['tools.calls'], notCovered(helped))).toEqual([])
  expect(absentWordsFor(words, notCovered({ verdict: 'fail' }))).toEqual([])
})

describe('a run against a hook service', async () => {
  const server = await startHooks()
  afterAll(() => server.close())
  const { trigger: _, otherProject: __, ...hooks } = targetOf(server).hooks

  const run = async (absent: Record<string, string>, selection: Selection = {}) => {
    const target = {
      hooks: { ...hooks, testEvents: ['push_events' as const] },
      suite: { ...proofSettings, absent },
    }
    const started = await startSuite(target, {
      clock: newTrialClock(),
      throwaway: true,
      selection,
    })
    const verdicts = await started.verdicts
    const isSet = (path: string) => findMissingKeys(target, [path]).length === 0
    return { verdicts, isSet, ...(await started.finish()) }
  }

  const absent = { 'EVT-PIPELINE': 'none', 'HOOK-CREATE-01': 'none', 'images.batch': 'none' }

  test('finds the entries of suite.absent without effect, unless it is a part of a run', async () => {
    const { unusedAbsent, verdicts } = await run(absent)
    expect(unusedAbsent).toEqual(['HOOK-CREATE-01', 'images.batch'])
    expect(verdicts.filter(({ requirement }) => requirement.startsWith('EVT-PIPELINE'))).toSatisfy(
      (own: Verdict[]) => own.every(({ verdict }) => verdict === 'not applicable'),
    )
    for (const selection of [{ only: ['HOOK-CREATE'] }, { skip: ['EVT'] }, { levels: ['must'] }])
      expect((await run(absent, selection)).unusedAbsent).toEqual([])
  })

  test('suggests entries with which every check is covered or not applicable', async () => {
    const first = await run({})
    const lines = absenceLines(first)
    expect(lines.slice(0, 3)).toEqual([
      'suite:',
      '  absent:',
      expect.stringMatching(/^ {4}EVT-[A-Z]+: … # \d+ checks$/),
    ])
    const reasoned = lines.join('\n').replaceAll('…', 'we do not have this')
    const entries = (parse(reasoned) as { suite: { absent: Record<string, string> } }).suite.absent
    const second = await run(entries)
    expect(second.verdicts.filter(({ verdict }) => verdict === 'not covered')).toEqual([])
    expect(second.unusedAbsent).toEqual([])
    expect(absenceLines(second)).toEqual([])
    // The target file must accept the entries.
    await expect(
      loadTarget({
        environment: {},
        text: JSON.stringify({
          hooks: { ...hooks, testEvents: ['push_events'], url: server.url },
          suite: { absent: entries },
        }),
      }),
    ).resolves.toMatchObject({ suite: { absent: entries } })
  })
})

const load = (absent: string) =>
  loadTarget({
    environment: { IMAGES_TOKEN: 'a-token' },
    text: `images:
  url: http://127.0.0.1:8080/v4
  account: acc-1
  state: false
  batch: { url: http://127.0.0.1:8081, token: b-token }
hooks: { url: 'http://127.0.0.1:8082/v4', project: 1, token: h-token, testEvents: [push_events] }
suite:
  absent: ${absent}
`,
  })

test('suite.absent lists keys that are not set, and requirements', async () => {
  const absent = {
    'images.clock': 'no clock',
    'images.state': 'a stateless mock',
    'suite.receiver.tlsUrl': 'no TLS',
    'hooks.testEvents.job_events': 'no jobs',
    'EVT-PIPELINE': 'no pipelines',
    'IMG-UPLOAD-01': 'no uploads',
  }
  expect((await load(JSON.stringify(absent))).suite.absent).toEqual(absent)
})

test.for([
  [
    '{ images.clok: none }',
    'lists images.clok, which is neither a key nor a requirement. Did you mean images.clock?',
  ],
  ['{ IMG-BATHC: none }', 'lists IMG-BATHC, which is neither a key nor a requirement.'],
  ['{ images.batch: none }', 'lists images.batch, but images.batch.url is set. Remove one of them'],
  [
    '{ hooks.testEvents.push_events: none }',
    'lists hooks.testEvents.push_events, but hooks.testEvents.push_events is set. Remove one of them',
  ],
  ['{ images: none }', 'lists images, which is neither a key nor a requirement.'],
  ['{ images.clock: }', 'must have a reason at images.clock: a string without a line break'],
  ['[images.clock]', 'is a list; expected a map'],
])('suite.absent: %s is a mistake', async ([absent, message]) => {
  await expect(load(absent!)).rejects.toThrow(`the target:8:11  suite.absent ${message!}`)
})

import { describe, expect, test } from 'vitest'
import { loadSubject, subjects } from '../checks/index.ts'
import type { Verdict } from '../engine/index.ts'
import { senderGroups } from '../recorded-senders.ts'
import { findSenders } from '../senders.ts'
import { loadRepeatedSenders, startSuite, type SuiteOptions } from '../suite.ts'
import { newTrialClock } from './clock.ts'
import { findFamily } from './families.ts'
import type { Reference } from './jobs.ts'
import { formatSenders, groupSenders, listStaleNames, listStaleSenders } from './senders.ts'
import { proofSettings, seedOf } from './trial.ts'

const subjectChecks = (await Promise.all(subjects.map(loadSubject))).map(({ checks }) => checks)

interface Judged {
  verdicts: Map<string, Verdict>
  /** The keys of the checks that sent messages. */
  senders: Set<string>
  exchanges: number
}

/** Judges a server of a family: its reference, or a server with this fault. */
async function judge(name: string, options: SuiteOptions, faultName?: string): Promise<Judged> {
  const family = findFamily(name)
  const fault = family.faults.find((one) => one.name === faultName)
  const { target, suite, close } = await family.start(fault?.make(() => {}) ?? {}, {})
  const senders = new Set<string>()
  let exchanges = 0
  try {
    const run = await startSuite(
      { ...target, suite: { ...proofSettings, ...suite, seed: seedOf(faultName ?? name) } },
      {
        clock: newTrialClock(),
        throwaway: true,
        onMessage: (key) => senders.add(key),
        onExchange: (total) => (exchanges = total),
        ...options,
      },
    )
    const verdicts = new Map((await run.verdicts).map((verdict) => [verdict.key, verdict]))
    await run.finish()
    return { verdicts, senders, exchanges }
  } finally {
    await close()
  }
}

/** The recorded senders of a check, and the checks on which these depend. */
function mayRun(watch: string): Set<string> {
  const checks = subjectChecks.find((list) => list.some(({ key }) => key === watch))!
  const watching = checks.filter(({ key }) => key === watch)
  const keys = new Set(findSenders(watching, checks, senderGroups))
  const addRoot = (root: string | undefined) => {
    for (const check of checks)
      if (check.requirement === root && check.kind === 'act' && !keys.has(check.key)) {
        keys.add(check.key)
        addRoot(check.root)
      }
  }
  for (const { key, root } of checks) if (keys.has(key) || key === watch) addRoot(root)
  return keys
}

const only = (...words: string[]): SuiteOptions => ({ selection: { only: words } })

describe('a watching check that is selected alone', () => {
  test.each([
    ['images', ['IMG-STATUS-06 ', 'IMG-TICKET-02 ', 'IMG-IMAGE-11 ']],
    ['hooks', ['EVT-JOB-20 ', 'HOOK-ERROR-02 ']],
  ])('at %s has the verdict of a whole run, with fewer requests', async (family, prefixes) => {
    const whole = await judge(family, {})
    for (const prefix of prefixes) {
      const { key } = subjectChecks
        .flat()
        .find((check) => check.key.startsWith(prefix) && check.kind === 'watch')!
      const alone = await judge(family, only(key))
      expect([...alone.verdicts.keys()]).toEqual([key])
      expect(alone.verdicts.get(key)!.verdict).toBe(whole.verdicts.get(key)!.verdict)
      expect(alone.exchanges, key).toBeLessThan(whole.exchanges)
      const allowed = mayRun(key)
      // At run time, checks can depend on a few others (`requireMet`).
      const others = [...alone.senders].filter((sender) => !allowed.has(sender))
      expect(others.length, others.join('\n')).toBeLessThan(10)
    }
  })

  test.each([
    ['images', 'file-and-url-return-413', 'IMG-STATUS-06'],
    ['images', 'unknown-image-is-a-bad-request', 'IMG-STATUS-02'],
    ['images', 'one-error-for-errors', 'IMG-ENVELOPE-06'],
    ['images', 'empty-page-has-no-array', 'IMG-LIST-02'],
    ['hooks', 'deleted-tag-stays-at-its-commit', 'EVT-TAGPUSH-21'],
    ['hooks', 'unknown-hook-breaks-down', 'HOOK-ERROR-02'],
    ['greeting', 'timestamp-contains-the-name', 'GRT-NAME-03'],
    ['tools', 'count-is-the-limit', 'TOOL-PAGE-02'],
    ['oauth', 'refusals-as-pages', 'AUTH-TOKEN-17'],
  ])('finds a fault that violates only its requirement: %s, %s', async (family, fault, id) => {
    const { verdicts } = await judge(family, only(id), fault)
    const outcomes = [...verdicts.values()].map(({ verdict }) => verdict)
    expect(outcomes.some((outcome) => outcome === 'fail' || outcome === 'warn')).toBe(true)
  })

  test('examines the messages of all other checks if none of its senders may run', async () => {
    const { verdicts, senders } = await judge('images', {
      selection: { only: ['IMG-STATUS-06'], skip: ['IMG-UPLOAD', 'IMG-LIMIT'] },
    })
    expect([...verdicts.values()]).toMatchObject([{ verdict: 'not covered' }])
    const allowed = mayRun([...verdicts.keys()][0]!)
    expect([...senders].some((sender) => !allowed.has(sender))).toBe(true)
  })
})

test('a failure is repeated together with a check that caused it, if that is not recorded', async () => {
  const fault = 'create-variant-is-not-there'
  const { verdicts } = await judge('images', { selection: { levels: ['must'] } }, fault)
  const failed = [...verdicts.values()].find(({ requirement }) => requirement === 'IMG-STATUS-05')!
  expect(failed.verdict).toBe('fail')
  const { key, sentBy = [] } = failed
  expect(mayRun(key).has(sentBy[0]!)).toBe(false)

  const repeatedSenders = await loadRepeatedSenders(['images'])
  const [requirement] = repeatedSenders(failed)
  expect(sentBy[0]!.split(' ')[0]).toBe(requirement)
  expect(repeatedSenders({ key, sentBy: [...mayRun(key)].slice(0, 1) })).toEqual([])
  const repeated = await judge('images', only(key, requirement!), fault)
  expect(repeated.verdicts.get(key)!.verdict).toBe('fail')

  const again = await judge('images', { selection: { only: [key], alsoSending: sentBy } }, fault)
  expect([...again.verdicts.values()].map(({ verdict }) => verdict)).toEqual(['fail'])
})

describe('the recorded senders', () => {
  test('name every watching check, and only checks that exist', () => {
    expect(
      listStaleNames(senderGroups, subjectChecks),
      'update conformance/recorded-senders.ts with npm run proof -- --senders',
    ).toEqual([])
  })

  const reference: Pick<Reference, 'checks' | 'readers' | 'sendersByCheck'> = {
    checks: [
      { key: 'IMG-IMAGE-01 watches', kind: 'watch', requirement: 'IMG-IMAGE-01' },
      { key: 'IMG-GET-01 reads', kind: 'act', requirement: 'IMG-GET-01' },
      { key: 'IMG-GET-02 reads', kind: 'act', requirement: 'IMG-GET-02' },
      { key: 'IMG-GET-02 reads again', kind: 'act', requirement: 'IMG-GET-02' },
    ],
    readers: {
      getImage: ['IMG-GET-01 reads', 'IMG-GET-02 reads'],
      other: ['IMG-GET-02 reads again'],
    },
    sendersByCheck: { 'IMG-IMAGE-01 watches': { getImage: ['IMG-GET-01 reads'] } },
  }
  const sending = ['IMG-GET-01', 'IMG-GET-02 reads']
  const watching = ['IMG-IMAGE-01']

  test('are the checks that send messages of an examined kind', () => {
    expect(groupSenders([reference])).toEqual([{ watching, sending }])
    expect(formatSenders([{ watching, sending }])).toContain('      "IMG-GET-02 reads",\n')
    expect(listStaleSenders([{ watching, sending }], [reference])).toEqual([])
  })

  test('keep earlier senders that still exist', () => {
    const recorded = [{ watching, sending: ['IMG-GET-02', 'IMG-GET-09'] }]
    expect(groupSenders([reference], recorded)).toEqual([
      { watching, sending: ['IMG-GET-01', 'IMG-GET-02'] },
    ])
  })

  test.each([
    ['no senders are recorded for IMG-IMAGE-01', []],
    [
      'senders are recorded for IMG-IMAGE-99, but there is no such watching check',
      [{ watching: [...watching, 'IMG-IMAGE-99'], sending }],
    ],
    [
      'IMG-GET-02 an earlier title is recorded as a sender, but there is no such acting check',
      [{ watching, sending: [...sending, 'IMG-GET-02 an earlier title'] }],
    ],
    [
      'the senders recorded for IMG-IMAGE-01 watches lack IMG-GET-01 reads',
      [{ watching, sending: ['IMG-GET-02'] }],
    ],
  ])('are out of date: %s', (problem, recorded) => {
    expect(listStaleSenders(recorded, [reference])).toEqual([
      `${problem}; run npm run proof -- --senders and commit conformance/recorded-senders.ts`,
    ])
  })
})

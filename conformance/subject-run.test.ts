import { expect, test } from 'vitest'
import type { Verdict } from './engine/index.ts'
import { repeatIncomplete, type SubjectRun } from './subject-run.ts'

const verdictOf = (key: string, verdict: Verdict['verdict']): Verdict => ({
  key,
  requirement: 'IMG-GET-01',
  title: '',
  contract: 'images',
  topic: '',
  role: 'server',
  level: 'must',
  verdict,
  expectations: [],
  exchanges: [],
  durationMs: 0,
})

/** A part with these verdicts. Notes in `events` when it is closed. */
function partOf(name: string, verdicts: Verdict[], events: string[]): SubjectRun {
  return {
    keys: verdicts.map(({ key }) => key),
    verdict: async (key) => verdicts.find((verdict) => verdict.key === key)!,
    verdicts: Promise.resolve(verdicts),
    end: Promise.resolve(),
    close: async () => {
      events.push(`close ${name}`)
      return { left: [name], proposals: ['a line'], protocolVersions: ['1'] }
    },
  }
}

const isIncomplete = ({ verdict }: Verdict) => verdict === 'not covered'

test('a check without messages runs again after the first run was closed', async () => {
  const events: string[] = []
  const first = [verdictOf('a', 'pass'), verdictOf('b', 'not covered')]
  const part = repeatIncomplete(partOf('first', first, events), isIncomplete, (keys) => {
    events.push(`again ${[...keys].join()}`)
    return partOf('second', [verdictOf('b', 'fail')], events)
  })
  expect((await part.verdicts).map(({ verdict }) => verdict)).toEqual(['pass', 'fail'])
  expect((await part.verdict('a')).verdict).toBe('pass')
  expect((await part.verdict('b')).verdict).toBe('fail')
  await part.end
  expect(events).toEqual(['close first', 'again b'])
  expect(await part.close()).toEqual({
    left: ['first', 'second'],
    proposals: ['a line'],
    protocolVersions: ['1'],
  })
})

test('nothing runs again if all checks had messages', async () => {
  const part = repeatIncomplete(partOf('first', [verdictOf('a', 'fail')], []), isIncomplete, () => {
    throw new Error('started again')
  })
  expect((await part.verdicts).map(({ verdict }) => verdict)).toEqual(['fail'])
  expect(await part.close()).toEqual({
    left: ['first'],
    proposals: ['a line'],
    protocolVersions: ['1'],
  })
})

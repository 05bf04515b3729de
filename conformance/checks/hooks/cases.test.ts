import { afterAll, expect, test } from 'vitest'
import { startHooks, targetOf } from '../../../mocks/stateful/hooks.ts'
import { judgeTarget, proofSettings } from '../../proof/trial.ts'

// Reports show the label of an expectation as its case: the part of the name before ": ".

const server = await startHooks()
afterAll(() => server.close())

const verdicts = await judgeTarget({ hooks: targetOf(server).hooks, suite: proofSettings })
const hasLabel = (name: string) => name.includes(': ')

test('the mock meets every expectation, so each was tested', () => {
  const outcomes = new Set(verdicts.map(({ verdict }) => verdict))
  expect([...outcomes].toSorted()).toEqual(['observed', 'pass'])
})

test('if an expectation of a check names its case, all do', () => {
  const mixed = verdicts.flatMap(({ key, expectations }) => {
    const names = [...new Set(expectations.map(({ name }) => name))]
    const labelledOnes = names.filter(hasLabel)
    return labelledOnes.length === 0 || labelledOnes.length === names.length ? [] : [{ key, names }]
  })
  expect(mixed).toEqual([])
})

test.each(['EVT-PUSH-01', 'EVT-PUSH-04', 'HOOK-SERVICE-01', 'EVT-RELEASE-04'])(
  'the expectations of %s about hooks name their case',
  (id) => {
    const names = verdicts
      .filter(({ requirement }) => requirement === id)
      .flatMap(({ expectations }) => expectations.map(({ name }) => name))
      .filter((name) => /^(a|the) .*\bhooks?\b/.test(name))
    expect(names).not.toEqual([])
    expect(names.filter((name) => !hasLabel(name))).toEqual([])
  },
)

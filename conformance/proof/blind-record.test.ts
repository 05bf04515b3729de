import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import {
  blindFigures,
  isWorse,
  listWorse,
  updateRecords,
  type BlindRecords,
} from './blind-record.ts'
import { findBlindServer } from './blind-servers/index.ts'
import type { BlindOutcome } from './jobs.ts'

const outcomeOf = (
  name: string,
  switchKind: BlindOutcome['switchKind'],
  ...requirements: BlindOutcome['requirements']
): BlindOutcome => ({
  kind: 'blind',
  implementation: 'images',
  name,
  switchKind,
  requirements,
  details: [...requirements],
})

const records: BlindRecords = {
  images: {
    first: { choices: 2, failed: 1, violations: 3, caught: 1 },
    caught: { 'drops-the-end': ['IMG-SERVICE-01'] },
    failed: { 'lists-late': ['IMG-LIST-01'] },
  },
  receiver: { first: { choices: 1, failed: 0, violations: 1, caught: 1 }, caught: {}, failed: {} },
}

describe('the record of blind implementations', () => {
  test('an outcome is worse if a choice newly fails, or if a violation is no longer found', () => {
    expect([
      isWorse(records, outcomeOf('lists-late', 'choice', 'IMG-LIST-01')),
      isWorse(records, outcomeOf('new-choice', 'choice', 'IMG-LIST-01')),
      isWorse(records, outcomeOf('new-choice', 'choice')),
      isWorse(records, outcomeOf('drops-the-end', 'violation', 'IMG-SERVICE-01')),
      isWorse(records, outcomeOf('drops-the-end', 'violation')),
      isWorse(records, outcomeOf('never-found', 'violation')),
    ]).toEqual([false, true, false, false, true, false])
  })

  test('a problem names the switch', () => {
    expect(
      listWorse(records, [
        outcomeOf('new-choice', 'choice', 'IMG-LIST-01'),
        outcomeOf('drops-the-end', 'violation'),
      ]),
    ).toEqual([
      'blind images: a choice fails: new-choice: IMG-LIST-01',
      'blind images: a violation is no longer found: drops-the-end',
    ])
  })

  test('the first figures never change, and implementations that were not judged keep their records', () => {
    const outcomes = [
      outcomeOf('lists-late', 'choice'),
      outcomeOf('drops-the-end', 'violation', 'IMG-SERVICE-01'),
      outcomeOf('never-found', 'violation', 'IMG-GET-01', 'IMG-GET-02', 'IMG-GET-03', 'IMG-GET-04'),
    ]
    expect(updateRecords(records, outcomes)).toEqual({
      images: {
        first: { choices: 2, failed: 1, violations: 3, caught: 1 },
        caught: {
          'drops-the-end': ['IMG-SERVICE-01'],
          'never-found': ['IMG-GET-01', 'IMG-GET-02', 'IMG-GET-03'],
        },
        failed: {},
      },
      receiver: records['receiver'],
    })
    expect(updateRecords({}, outcomes)['images']?.first).toEqual(blindFigures(outcomes))
  })

  test('a switch that was not judged keeps its record', () => {
    const { images } = updateRecords(records, [
      outcomeOf('never-found', 'violation', 'IMG-GET-01'),
      outcomeOf('lists-late', 'choice'),
    ])
    expect(images).toEqual({
      first: records['images']?.first,
      caught: { 'drops-the-end': ['IMG-SERVICE-01'], 'never-found': ['IMG-GET-01'] },
      failed: {},
    })
  })

  test('every switch in the committed record exists', async () => {
    const path = fileURLToPath(new URL('blind/record.json', import.meta.url))
    const committed = JSON.parse(await readFile(path, 'utf8')) as BlindRecords
    for (const [name, { caught, failed, first }] of Object.entries(committed)) {
      const { switches } = findBlindServer(name)
      const namesOf = (kind: string) =>
        switches.filter((one) => one.kind === kind).map((one) => one.name)
      expect(namesOf('violation')).toEqual(expect.arrayContaining(Object.keys(caught)))
      expect(namesOf('choice')).toEqual(expect.arrayContaining(Object.keys(failed)))
      expect([namesOf('choice').length, namesOf('violation').length]).toEqual([
        first.choices,
        first.violations,
      ])
    }
  })
})

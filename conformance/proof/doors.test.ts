import { describe, expect, test } from 'vitest'
import type { Verdict } from '../engine/index.ts'
import { DoorRecord, listDoors, listDoorsMissingInCatalogue, operationOf } from './doors.ts'

const message = (number: number, kind: string) => ({
  number,
  kind,
  summary: '',
  operation: '',
  milliseconds: 0,
  record: () => ({ number }) as never,
})
const verdict = (key: string, rest: Partial<Verdict>) =>
  ({ key, verdict: 'pass', expectations: [], ...rest }) as unknown as Verdict
const finding = (held: boolean, exchange?: number) => ({
  name: 'is right',
  held,
  expected: '',
  received: '',
  ...(exchange === undefined ? {} : { exchange }),
})

/**
 * The record of a run with three checks: one that examines all messages, one that sends requests,
 * and one that sends requests to only one door. A door is a part of a server, such as an operation,
 * for which a requirement is checked separately.
 */
function newRecord() {
  const record = new DoorRecord({ doorOf: operationOf })
  record.add({ key: 'IMG-STATUS-01 watches', requirement: 'IMG-STATUS-01' })
  record.add({ key: 'IMG-AUTH-01 acts', requirement: 'IMG-AUTH-01' })
  record.add({ key: 'IMG-LIST-03 by URL', requirement: 'IMG-LIST-03', door: 'a URL' })
  return record
}

describe('doors', () => {
  test('are examined by checks that examine messages, and by passed checks that name a door', () => {
    const record = newRecord()
    record.onMessage(
      'a',
      message(1, 'getImage success'),
      new Map([['IMG-STATUS-01 watches', true]]),
    )
    record.onMessage('a', message(2, 'listImages failure'), new Map())
    expect(record.examinedDoors([verdict('IMG-LIST-03 by URL', {})])).toEqual([
      'IMG-STATUS-01 at getImage',
      'IMG-LIST-03 at a URL',
    ])
    expect(record.failedDoors([])).toEqual([])
  })

  test('fail if a message does not meet an expectation', () => {
    const record = newRecord()
    record.onMessage(
      'a',
      message(1, 'getImage success'),
      new Map([['IMG-STATUS-01 watches', false]]),
    )
    record.onMessage('a', message(2, 'listImages failure'), new Map())
    record.onMessage('a', message(3, 'deleteImage failure'), new Map())
    const verdicts = [
      verdict('IMG-AUTH-01 acts', {
        verdict: 'fail',
        expectations: [finding(true, 3), finding(false, 2)],
      }),
      verdict('IMG-LIST-03 by URL', { verdict: 'fail', expectations: [finding(false)] }),
    ]
    expect(record.failedDoors(verdicts)).toEqual([
      'IMG-STATUS-01 at getImage',
      'IMG-AUTH-01 at listImages',
      'IMG-LIST-03 at a URL',
    ])
  })

  test('of a message can differ for each requirement', () => {
    const record = new DoorRecord({
      doorOf: (message, requirement) =>
        requirement === 'IMG-AUTH-01' ? operationOf(message) : undefined,
    })
    for (const requirement of ['IMG-AUTH-01', 'IMG-STATUS-01'] as const)
      record.add({ key: requirement, requirement })
    record.onMessage(
      'a',
      message(1, 'getImage failure'),
      new Map([
        ['IMG-AUTH-01', true],
        ['IMG-STATUS-01', false],
      ]),
    )
    expect(record.examinedDoors([])).toEqual(['IMG-AUTH-01 at getImage'])
    expect(record.failedDoors([])).toEqual([])
  })

  test('are not recorded if no function returns the door of a message', () => {
    const record = new DoorRecord({})
    record.add({ key: 'IMG-STATUS-01 watches', requirement: 'IMG-STATUS-01' })
    record.onMessage(
      'a',
      message(1, 'getImage success'),
      new Map([['IMG-STATUS-01 watches', true]]),
    )
    expect(record.examinedDoors([])).toEqual([])
  })

  test('must be listed in the catalogue of requirements if their requirement has several', () => {
    expect(listDoorsMissingInCatalogue(['IMG-GET-01 at getImage'])).toEqual([])
    expect(
      listDoorsMissingInCatalogue(['IMG-GET-01 at getImage', 'IMG-GET-01 at listImages']),
    ).toHaveLength(2)
    expect(listDoorsMissingInCatalogue(['IMG-AUTH-05 at batchListImages'])).toEqual([])
    expect(listDoorsMissingInCatalogue(['IMG-AUTH-05 at getImage'])).toEqual([
      'IMG-AUTH-05 at getImage',
    ])
  })

  test('in the catalogue can be listed for some of its requirements', () => {
    expect(listDoors(new Set(['IMG-AUTH-11', 'IMG-GET-01']))).toEqual([
      'IMG-AUTH-11 at listImages',
      'IMG-AUTH-11 at batchListImages',
    ])
  })
})

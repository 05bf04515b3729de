import { expect, test } from 'vitest'
import { Ledger, type Message } from './ledger.ts'

/** A ledger with three refused requests, and findings for these exchanges that were not met. */
function ledgerWith(...broken: number[]): Ledger<Message> {
  const ledger = new Ledger<Message>()
  ledger.noteDifference('only in the value of the field `a`', 1)
  ledger.noteDifference('only in the value of the field `b`', 2)
  ledger.noteDifference('only in the value of the field `b`', 3)
  const finding = { name: 'refused', expected: 'a refusal', received: '200' }
  for (const exchange of [1, 2, 3])
    ledger.findings.push({ ...finding, held: !broken.includes(exchange), exchange })
  return ledger
}

test.each([
  ['of the request that was accepted', [1], 'only in the value of the field `a`'],
  ['of the requests that were accepted', [2, 3], 'only in the value of the field `b`'],
  ['is missing if the accepted requests have several', [1, 2], undefined],
  ['is missing if all is met and there are several', [], undefined],
])('the difference %s', (_, broken, difference) => {
  expect(ledgerWith(...broken).difference).toBe(difference)
})

const message = (number: number): Message => ({
  number,
  kind: 'call',
  operation: 'call',
  milliseconds: 1,
  record: () => {
    throw new Error('this message has no record')
  },
})

test('reports show messages that no check examines, in the order of all messages', () => {
  const ledger = new Ledger<Message>()
  ledger.record(message(3))
  ledger.show(message(2))
  ledger.record(message(1))
  expect(ledger.shownMessages.map(({ number }) => number)).toEqual([1, 2, 3])
  expect(ledger.messages.map(({ number }) => number)).toEqual([3, 1])
})

test('a difference without an exchange concerns every finding', () => {
  const ledger = new Ledger<Message>()
  ledger.findings.push({ name: 'a', held: false, expected: 'x', received: 'y', exchange: 7 })
  expect(ledger.difference).toBeUndefined()
  ledger.noteDifference('only in the missing header `b`')
  expect(ledger.difference).toBe('only in the missing header `b`')
})

test('all cases of one expectation are tested, even if the first is wrong', () => {
  const ledger = new Ledger<Message>()
  const isSecond = {
    name: 'is the second',
    expected: 'number 2',
    test: ({ number }: Message) => number === 2,
    received: ({ number }: Message) => `number ${number}`,
  }
  expect(() =>
    ledger.expectEach([1, 2, 3].map((number) => [message(number), isSecond] as const)),
  ).toThrow('is the second')
  expect(ledger.findings.map(({ exchange, held }) => [exchange, held])).toEqual([
    [1, false],
    [2, true],
    [3, false],
  ])
})

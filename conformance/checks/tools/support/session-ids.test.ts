import { expect, test } from 'vitest'
import { arePredictable } from './session-ids.ts'

test.each([
  ['a counter', ['session-8', 'session-9', 'session-10', 'session-11']],
  ['a clock and a counter', ['1764326000-1', '1764326000-2', '1764326001-3', '1764326001-4']],
  ['a clock in nanoseconds', ['1764326000123456789', '1764326000223456789', '1764326000323456789']],
])('predicts %s', (_name, ids) => {
  expect(arePredictable(ids)).toBe(true)
})

test.each([
  ['random UUIDs', Array.from({ length: 6 }, () => crypto.randomUUID() as string)],
  ['long random numbers in order', ['1000000000000001', '4500000000000002', '8000000000000003']],
  ['a random part before a counter', ['kQx7.1', 'pZw2.2', 'aBc9.3']],
  ['numbers out of order', ['17', '4', '29']],
  ['the same id', ['session-1', 'session-1']],
])('does not predict %s', (_name, ids) => {
  expect(arePredictable(ids)).toBe(false)
})

import { expect, test } from 'vitest'
import { TargetError } from '../target-file/index.ts'
import { conformance, type ConformanceTarget } from './index.ts'

test.each([
  [
    { target: { receiver: { url: 'http://127.0.0.1:1/' } } },
    /^conformance\(\): target must be the path/,
  ],
  [{ target: null }, /target must be the path/],
  [undefined, /needs a target: .*'touchstone\.yaml'/],
  ['touchstone.yaml', /needs a target/],
])('a wrong argument is a readable error: %j', async (given, message) => {
  const wrong = given as unknown as ConformanceTarget
  const error: unknown = await conformance(wrong).catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(TargetError)
  expect((error as TargetError).message).toMatch(message)
})

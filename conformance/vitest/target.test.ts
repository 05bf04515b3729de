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

test('a list of known failures in the target is read, and its mistakes are located', async () => {
  const conformant = conformance({
    receiver: { url: 'http://127.0.0.1:1/hook', secret: 'kept-for-tests' },
    suite: {
      expected: [
        { id: 'EVT-RECEIVER', reason: 'later' },
        { id: 'EVT-RECIEVER', reason: 'later' },
      ],
    },
  })
  await expect(conformant).rejects.toThrow(
    /^conformance\(\):13:15 {2}There is no requirement "EVT-RECIEVER"\. Did you mean EVT-RECEIVER\?/,
  )
})

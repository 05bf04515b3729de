import { expect, test } from 'vitest'
import { describeReceived } from './received.ts'

test.each([
  ['', 'status 200 with an empty body'],
  ['<html>', 'status 200 with a body that is not JSON'],
  ['{"a": 1', 'status 200 with a body that is not JSON, because it ends too early'],
  ['{"a": 1,}', 'status 200 with a body that is not JSON at character 9'],
])('describes the body %s', (body, description) => {
  expect(describeReceived(undefined, '', { status: 200, body: Buffer.from(body) })).toBe(
    description,
  )
})

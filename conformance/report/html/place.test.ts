import { expect, test } from 'vitest'
import { findMember, placeOf } from './place.ts'

const body = '{"result":{"images":[{"id":"a"},{"id":"b","uploaded":"yesterday"}]}}'

/** The part of the body that is marked for a finding about the value at a JSON pointer. */
function markedAt(pointer: string): string | undefined {
  const expected = `the value at ${pointer} in the response to listImages: an ISO 8601 timestamp`
  const place = placeOf({ expected, received: '"yesterday"' }, body)
  const range = place?.kind === 'member' ? findMember(body, place.path) : undefined
  return range && body.slice(...range)
}

test('finds the member at a JSON pointer', () => {
  expect(markedAt('/result/images/1/uploaded')).toBe('"uploaded":"yesterday"')
  expect(markedAt('/result/images/0/id')).toBe('"id":"a"')
})

test('an asterisk matches any index', () => {
  expect(markedAt('/result/images/*/uploaded')).toBe('"uploaded":"yesterday"')
})

test('finds nothing if the body has no such member', () => {
  expect(markedAt('/result/images/0/uploaded')).toBeUndefined()
  expect(markedAt('/result/other')).toBeUndefined()
})

test('finds the status and a header', () => {
  expect(placeOf({ expected: 'a refusal', received: '200  {}' }, '')).toEqual({ kind: 'status' })
  expect(placeOf({ expected: 'the header Location', received: 'none' }, '')).toEqual({
    kind: 'header',
    name: 'Location',
  })
})

import { expect, test } from 'vitest'
import { withValue } from './set.ts'

const payload = {
  object_attributes: { action: 'open', labels: [{ title: 'bug' }] },
  list: [1, 2],
  empty: null,
}

test.each([
  [
    'object_attributes.action=close',
    { ...payload, object_attributes: { ...payload.object_attributes, action: 'close' } },
  ],
  [
    'object_attributes.labels[0].title="a=b"',
    { ...payload, object_attributes: { action: 'open', labels: [{ title: 'a=b' }] } },
  ],
  [
    'object_attributes.labels.1={"title":null}',
    {
      ...payload,
      object_attributes: { action: 'open', labels: [{ title: 'bug' }, { title: null }] },
    },
  ],
  ['list[2]=3', { ...payload, list: [1, 2, 3] }],
  ['new=', { ...payload, new: '' }],
  ['empty=true', { ...payload, empty: true }],
  ['list=1.5', { ...payload, list: 1.5 }],
])('withValue applies the assignment %s', (assignment, expected) => {
  const before = structuredClone(payload)
  expect(withValue(payload, assignment)).toEqual(expected)
  expect(payload).toEqual(before)
})

test.each([
  ['no equals sign', 'is not an assignment'],
  ['=1', 'is not an assignment'],
  ['a..b=1', 'is not a path'],
  ['object_atributes.action=1', 'object_atributes does not exist'],
  ['list[3]=1', 'list.3 does not exist: the array has 2 elements'],
  ['list.x=1', 'list.x does not exist'],
  ['empty.a=1', 'empty has no members'],
  ['list[0].a=1', 'list.0 has no members'],
])('withValue refuses "%s" with "%s"', (assignment, message) => {
  expect(() => withValue(payload, assignment)).toThrow(message)
})

test('withValue treats __proto__ like any other name', () => {
  const changed = withValue(payload, '__proto__={"a":1}')
  expect([
    Object.getPrototypeOf(changed) === Object.prototype,
    JSON.stringify(changed).endsWith('"__proto__":{"a":1}}'),
  ]).toEqual([true, true])
  expect(() => withValue(payload, '__proto__.a=1')).toThrow('does not exist')
})

import { expect, test } from 'vitest'
import { withSet } from './set.ts'

const payload = {
  object_attributes: { action: 'open', labels: [{ title: 'bug' }] },
  list: [1, 2],
  nothing: null,
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
  ['nothing=true', { ...payload, nothing: true }],
  ['list=1.5', { ...payload, list: 1.5 }],
])('%s', (assignment, wanted) => {
  const before = structuredClone(payload)
  expect(withSet(payload, assignment)).toEqual(wanted)
  expect(payload).toEqual(before)
})

test.each([
  ['no equals sign', 'is no assignment'],
  ['=1', 'is no assignment'],
  ['a..b=1', 'is no path'],
  ['object_atributes.action=1', 'object_atributes is not there'],
  ['list[3]=1', 'list.3 is not there: the array has 2 elements'],
  ['list.x=1', 'list.x is not there'],
  ['nothing.a=1', 'nothing holds no members'],
  ['list[0].a=1', 'list.0 holds no members'],
])('%s: %s', (assignment, text) => {
  expect(() => withSet(payload, assignment)).toThrow(text)
})

test('a name that objects have by themselves is one like any other', () => {
  const made = withSet(payload, '__proto__={"a":1}')
  expect([
    Object.getPrototypeOf(made) === Object.prototype,
    JSON.stringify(made).endsWith('"__proto__":{"a":1}}'),
  ]).toEqual([true, true])
  expect(() => withSet(payload, '__proto__.a=1')).toThrow('is not there')
})

import { expect, test } from 'vitest'
import { chainOf, type Unit } from './units.ts'

const chain = (...units: (Partial<Unit> & { name: string })[]) =>
  chainOf(new Map(units.map((unit) => [unit.name, { steps: [], after: [], ...unit }])))

test('overlapping requests count once, sequential requests add up', () => {
  const steps = [
    { from: 0, to: 50 },
    { from: 1, to: 51 },
    { from: 52, to: 100 },
    { from: 60, to: 90 },
    { from: 100, to: 150 },
  ]
  expect(chain({ name: 'a', steps })).toEqual({ requests: 3, name: 'a' })
})

test('the chain of a check includes the requests that it waited for', () => {
  const root = {
    name: 'root',
    steps: [
      { from: 0, to: 50 },
      { from: 50, to: 100 },
    ],
  }
  const shared = { name: 'shared x', steps: [{ from: 100, to: 150 }] }
  const check = {
    name: 'a',
    after: ['root'],
    steps: [
      { from: 100, to: 151, waitsFor: 'shared x' },
      { from: 110, to: 160 },
      { from: 151, to: 201 },
    ],
  }
  expect(chain(root, shared, check)).toEqual({ requests: 4, name: 'a' })
})

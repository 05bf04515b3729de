import { expect, test } from 'vitest'
import { chainOf, cleaningUp, type Unit } from './units.ts'

const chain = (...units: (Partial<Unit> & { name: string })[]) => chainOf(new Map(units.map((unit) => [unit.name, { steps: [], after: [], ...unit }])))

test('requests that overlap count once, those that follow each other add up', () => {
  const steps = [{ from: 0, to: 50 }, { from: 1, to: 51 }, { from: 52, to: 100 }, { from: 60, to: 90 }, { from: 100, to: 150 }]
  expect(chain({ name: 'a', steps }).whole).toBe(3)
})

test('what a check waited for comes before its own', () => {
  const root = { name: 'root', steps: [{ from: 0, to: 50 }, { from: 50, to: 100 }] }
  const shared = { name: 'shared x', steps: [{ from: 100, to: 150 }] }
  const check = { name: 'a', after: ['root'], steps: [{ from: 100, to: 151, waitsFor: 'shared x' }, { from: 110, to: 160 }, { from: 151, to: 201 }] }
  expect(chain(root, shared, check)).toMatchObject({ whole: 4, single: 4 })
})

test('checks that run alone and the cleaning up follow all others', () => {
  const one = [{ from: 0, to: 50 }]
  const lone = { alone: true, after: ['a'], steps: [{ from: 100, to: 150 }, { from: 150, to: 200 }] }
  expect(chain({ name: 'a', steps: one }, { name: 'b', ...lone }, { name: 'c', ...lone }, { name: cleaningUp, steps: one })).toMatchObject({ whole: 6, single: 3 })
})

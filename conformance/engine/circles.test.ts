import { expect, test } from 'vitest'
import { actingCheck } from './check.ts'
import type { Context } from './context.ts'
import type { Message } from './ledger.ts'
import { outcomesOf } from './run.testing.ts'
import { Blocked } from './signals.ts'

// A broken target can make checks wait for each other in a circle. Even then, every run must end.

type World = Context<Message>

const fails = { name: 'works', expected: 'yes', test: () => false, received: () => 'no' }

/** Ends a check as blocked if the requirement is not met, and otherwise as failed. */
const fail = async ({ isMet, ledger }: World, requirement: 'IMG-GET-01' | 'IMG-LIST-01') => {
  if (!(await isMet(requirement))) throw new Blocked(requirement, 'it failed')
  ledger.expectValue(false, fails)
}

const useValue = (world: World) =>
  world.shared('image', async (common) => {
    await Promise.resolve()
    await fail(common, 'IMG-GET-01')
  })

test('a shared value may depend on a requirement whose check uses the value', async () => {
  const user = actingCheck<World>('IMG-LIST-01', { title: 'uses the value', run: useValue })
  const judge = actingCheck<World>('IMG-GET-01', {
    title: 'judges',
    run: async (world) => {
      await Promise.resolve()
      await useValue(world)
    },
  })
  expect(await outcomesOf([user, judge])).toEqual({ 'uses the value': 'fail', judges: 'fail' })
  expect(await outcomesOf([judge, user])).toEqual({ 'uses the value': 'fail', judges: 'fail' })
})

test('two requirements may depend on each other', async () => {
  const one = actingCheck<World>('IMG-GET-01', {
    title: 'one',
    run: (world) => fail(world, 'IMG-LIST-01'),
  })
  const other = actingCheck<World>('IMG-LIST-01', {
    title: 'other',
    run: (world) => fail(world, 'IMG-GET-01'),
  })
  expect(await outcomesOf([one, other])).toEqual({ one: 'fail', other: 'fail' })
})

test('a check that is declared with a lock may depend on a check that waits for this lock', async () => {
  const holder = actingCheck<World>('IMG-LIST-01', {
    title: 'holds the lock',
    exclusiveLock: 'config',
    run: (world) => fail(world, 'IMG-GET-01'),
  })
  const judge = actingCheck<World>('IMG-GET-01', {
    title: 'needs the lock',
    exclusiveLock: 'config',
    run: ({ ledger }) => Promise.resolve(ledger.expectValue(false, fails)),
  })
  expect(await outcomesOf([holder, judge])).toEqual({
    'holds the lock': 'fail',
    'needs the lock': 'fail',
  })
})

test('a check that holds a lock during work may depend on a check that waits for this lock', async () => {
  const withLock = (world: World, work: () => Promise<void>) => world.withLock('variants', work)
  const holder = actingCheck<World>('IMG-LIST-01', {
    title: 'works with the lock',
    run: (world) => withLock(world, () => fail(world, 'IMG-GET-01')),
  })
  const judge = actingCheck<World>('IMG-GET-01', {
    title: 'waits for it',
    run: (world) => withLock(world, () => Promise.resolve(world.ledger.expectValue(false, fails))),
  })
  expect(await outcomesOf([holder, judge])).toEqual({
    'works with the lock': 'fail',
    'waits for it': 'fail',
  })
})

test('a root may depend on a requirement that depends on the root', async () => {
  const root = actingCheck<World>('IMG-GET-01', {
    title: 'root',
    run: (world) => fail(world, 'IMG-LIST-01'),
  })
  const dependent = actingCheck<World>('IMG-LIST-01', {
    title: 'depends on the root',
    root: 'IMG-GET-01',
    run: (world) => fail(world, 'IMG-GET-01'),
  })
  expect(await outcomesOf([root, dependent])).toEqual({
    root: 'fail',
    'depends on the root': 'blocked',
  })
})

import { expect, test } from 'vitest'
import { actingCheck } from './check.ts'
import type { Expectation } from './expectation.ts'
import type { Context } from './context.ts'
import type { Message } from './ledger.ts'
import { outcomesOf } from './run.testing.ts'

type World = Context<Answer>

/** A response or a timeout, as a message. */
class Answer implements Message {
  static count = 0
  readonly kind = 'answer'
  readonly operation = 'ask'
  readonly milliseconds = 0
  readonly number = (Answer.count += 1)
  readonly isInterrupted: boolean
  readonly isClosedWithOthers: boolean
  constructor(isInterrupted: boolean, isClosedWithOthers = false) {
    this.isInterrupted = isInterrupted
    this.isClosedWithOthers = isClosedWithOthers
  }
  record() {
    return {
      number: this.number,
      operation: 'ask',
      request: { method: '', url: '', headers: {}, body: null },
      curl: '',
      milliseconds: 0,
    }
  }
}

const comes: Expectation<Answer> = {
  name: 'comes',
  expected: 'an answer',
  test: ({ isInterrupted }) => !isInterrupted,
  received: () => 'none',
}
const isBlue: Expectation<Answer> = {
  name: 'is blue',
  expected: 'a blue answer',
  test: () => false,
  received: () => 'a red one',
}

const examine = ({ ledger }: World, isInterrupted: boolean, isClosedWithOthers = false) => {
  const answer = new Answer(isInterrupted, isClosedWithOthers)
  ledger.record(answer)
  ledger.expect(answer, comes)
}

test('a check that met a timeout runs again when the others have ended, and the second result counts', async () => {
  const order: string[] = []
  let tries = 0
  const verdicts = await outcomesOf([
    actingCheck<World>('IMG-GET-01', {
      title: 'slow once',
      run: async (world) => {
        tries += 1
        order.push(`try ${tries}`)
        examine(world, tries === 1)
      },
    }),
    actingCheck<World>('IMG-GET-02', {
      title: 'other',
      run: async (world) => {
        await world.clock.sleep(20)
        examine(world, false)
        order.push('other')
      },
    }),
  ])
  expect(verdicts).toEqual({ 'slow once': 'pass', other: 'pass' })
  expect(order).toEqual(['try 1', 'other', 'try 2'])
})

test('if a target never responds, its checks fail, and only two of them run again', async () => {
  let tries = 0
  const silent = (id: 'IMG-GET-01' | 'IMG-GET-02' | 'IMG-GET-03' | 'IMG-LIST-01', title: string) =>
    actingCheck<World>(id, {
      title,
      run: async (world) => {
        tries += 1
        examine(world, true)
      },
    })
  const verdicts = await outcomesOf([
    silent('IMG-GET-01', 'a'),
    silent('IMG-GET-02', 'b'),
    silent('IMG-GET-03', 'c'),
    silent('IMG-LIST-01', 'd'),
  ])
  expect(verdicts).toEqual({ a: 'fail', b: 'fail', c: 'fail', d: 'fail' })
  expect(tries).toBe(6)
})

test('a shared value that met a timeout is created again', async () => {
  let made = 0
  const check = (id: 'IMG-GET-01' | 'IMG-GET-02', title: string) =>
    actingCheck<World>(id, {
      title,
      run: async (world) => {
        const answer = await world.shared('session', async ({ ledger }) => {
          const first = new Answer((made += 1) === 1)
          ledger.record(first)
          return first
        })
        world.ledger.expect(answer, comes)
      },
    })
  expect(await outcomesOf([check('IMG-GET-01', 'a'), check('IMG-GET-02', 'b')])).toEqual({
    a: 'pass',
    b: 'pass',
  })
  expect(made).toBe(2)
})

test('a check can run again while another check waits for its verdict', async () => {
  let tries = 0
  const verdicts = await outcomesOf([
    actingCheck<World>('IMG-GET-01', {
      title: 'root',
      run: async (world) => examine(world, (tries += 1) === 1),
    }),
    actingCheck<World>('IMG-GET-02', {
      title: 'asks',
      run: async (world) => {
        expect(await world.isMet('IMG-GET-01')).toBe(true)
        examine(world, false)
      },
    }),
  ])
  expect(verdicts).toEqual({ root: 'pass', asks: 'pass' })
})

test.each<[string, (world: World) => Promise<unknown>]>([
  [
    'at several places at the same time',
    ({ isMet }) => Promise.all([isMet('IMG-GET-01'), isMet('IMG-GET-01'), isMet('IMG-GET-01')]),
  ],
  ['through a shared value', ({ shared }) => shared('value', ({ isMet }) => isMet('IMG-GET-01'))],
])('a check can run again while others wait for its verdict %s', async (_, wait) => {
  let tries = 0
  const waiting = (id: 'IMG-GET-02' | 'IMG-GET-03', title: string) =>
    actingCheck<World>(id, {
      title,
      run: async (world) => {
        await wait(world)
        examine(world, false)
      },
    })
  const verdicts = await outcomesOf([
    actingCheck<World>('IMG-GET-01', {
      title: 'root',
      run: async (world) => {
        // The others wait before this check can run again.
        await world.clock.sleep(20)
        examine(world, (tries += 1) === 1)
      },
    }),
    waiting('IMG-GET-02', 'asks'),
    waiting('IMG-GET-03', 'asks too'),
  ])
  expect(verdicts).toEqual({ root: 'pass', asks: 'pass', 'asks too': 'pass' })
})

test('a failure without a timeout is not retried', async () => {
  let tries = 0
  const verdicts = await outcomesOf([
    actingCheck<World>('IMG-GET-01', {
      title: 'broken',
      run: async (world) => {
        tries += 1
        const answer = new Answer(false)
        world.ledger.record(answer)
        world.ledger.expect(answer, isBlue)
      },
    }),
  ])
  expect([verdicts['broken'], tries]).toEqual(['fail', 1])
})

test('if the process of a target ends again and again, every check that met that runs again', async () => {
  const tries: Record<string, number> = {}
  const ending = (id: 'IMG-GET-01' | 'IMG-GET-02' | 'IMG-GET-03' | 'IMG-LIST-01', title: string) =>
    actingCheck<World>(id, {
      title,
      run: async (world) => {
        tries[title] = (tries[title] ?? 0) + 1
        await world.clock.sleep(5)
        // The last one was only in progress when the others ended the process.
        examine(world, title !== 'last' || tries[title] === 1, true)
      },
    })
  expect(
    await outcomesOf([
      ending('IMG-GET-01', 'one'),
      ending('IMG-GET-02', 'two'),
      ending('IMG-GET-03', 'three'),
      ending('IMG-LIST-01', 'last'),
    ]),
  ).toEqual({ one: 'fail', two: 'fail', three: 'fail', last: 'pass' })
  expect(tries).toEqual({ one: 2, two: 2, three: 2, last: 2 })
})

import { describe, expect, it } from 'vitest'
import { actingCheck, watchingCheck, type Check } from './check.ts'
import { processClock } from './clock.ts'
import type { Context, RunOptions } from './context.ts'
import { newGate } from './gate.ts'
import type { Message } from './ledger.ts'
import { startRun } from './run.ts'
import { Blocked, NotApplicable, NotCovered } from './signals.ts'
import type { Stage } from './stages.ts'
import type { ExchangeRecord } from './verdict.ts'

/** The message of these tests: it contains only a string. */
class Note implements Message {
  static count = 0
  readonly kind = 'text'
  readonly milliseconds = 0
  readonly number = (Note.count += 1)
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
  get operation(): string {
    return this.text
  }
  record(): ExchangeRecord {
    return {
      number: this.number,
      operation: this.operation,
      request: { method: '', url: '', headers: {}, body: null },
      curl: '',
      milliseconds: 0,
    }
  }
}

type World = Context<Note>
type AnyCheck = Check<World, Note>

const holds = (held: boolean) => ({
  name: 'holds',
  expected: 'yes',
  test: () => held,
  received: () => 'no',
})
const passing = (world: World) => {
  const note = new Note('good')
  world.ledger.record(note)
  world.ledger.expect(note, holds(true))
}
const failing = (world: World) => {
  const note = new Note('bad')
  world.ledger.record(note)
  world.ledger.expect(note, holds(false))
}
const run = (checks: readonly AnyCheck[], more: Partial<RunOptions<World, Note>> = {}) =>
  startRun<World, Note>({
    checks,
    openWorld: (context) => context,
    gate: newGate({ concurrency: 4 }),
    clock: processClock,
    seed: 1,
    ...more,
  })
const verdictsOf = async (checks: readonly AnyCheck[], more?: Partial<RunOptions<World, Note>>) =>
  Object.fromEntries(
    (await run(checks, more).verdicts).map(({ title, ...verdict }) => [title, verdict]),
  )

describe('a run', () => {
  it('passes a check whose expectations are all met; otherwise fails a must and warns about a should', async () => {
    const verdicts = await verdictsOf([
      actingCheck<World>('IMG-GET-01', { title: 'good', run: async (world) => passing(world) }),
      actingCheck<World>('IMG-GET-02', { title: 'bad', run: async (world) => failing(world) }),
      actingCheck<World>('IMG-LIST-06', { title: 'advised', run: async (world) => failing(world) }),
    ])
    expect(verdicts['good']?.verdict).toBe('pass')
    expect(verdicts['bad']).toMatchObject({
      verdict: 'fail',
      expectations: [{ held: false, received: 'no' }],
      exchanges: [{ operation: 'bad' }],
    })
    expect(verdicts['advised']?.verdict).toBe('warn')
  })

  it('reports a check without a result, or with one that does not fit its level, as an error', async () => {
    const verdicts = await verdictsOf([
      actingCheck<World>('IMG-GET-01', { title: 'silent', run: async () => {} }),
      actingCheck<World>('IMG-LIST-08', { title: 'unobserved', run: async () => {} }),
      actingCheck<World>('IMG-LIST-08', { title: 'judged', run: async (world) => failing(world) }),
      actingCheck<World>('IMG-GET-02', {
        title: 'crashed',
        run: () => Promise.reject(new TypeError('ours')),
      }),
    ])
    for (const title of ['silent', 'unobserved', 'judged', 'crashed'])
      expect(verdicts[title]?.verdict, title).toBe('error')
    expect(verdicts['crashed']?.reason).toContain('ours')
  })

  it('names the first cause if one check depends on another', async () => {
    const verdicts = await verdictsOf([
      actingCheck<World>('IMG-ADDRESS-01', { title: 'root', run: async (world) => failing(world) }),
      actingCheck<World>('IMG-UPLOAD-01', {
        title: 'middle',
        root: 'IMG-ADDRESS-01',
        run: async (world) => passing(world),
      }),
      actingCheck<World>('IMG-GET-01', {
        title: 'leaf',
        root: 'IMG-UPLOAD-01',
        run: async (world) => passing(world),
      }),
      watchingCheck<Note>('IMG-IMAGE-01', {
        title: 'watcher',
        root: 'IMG-ADDRESS-01',
        sources: [],
        examine: () => [],
      }),
    ])
    expect(verdicts['root']?.verdict).toBe('fail')
    for (const title of ['middle', 'leaf', 'watcher'])
      expect(verdicts[title], title).toMatchObject({
        verdict: 'blocked',
        blockedBy: 'IMG-ADDRESS-01',
      })
  })

  it('blocks a check that throws Blocked, but fails a check that names its own requirement', async () => {
    const blocked = (world: World) =>
      Promise.reject(new Blocked('IMG-UPLOAD-01', `no upload ${world.priority}`))
    const verdicts = await verdictsOf([
      actingCheck<World>('IMG-GET-01', { title: 'dependent', run: blocked }),
      actingCheck<World>('IMG-UPLOAD-01', { title: 'blocks itself', run: blocked }),
      actingCheck<World>('IMG-UPLOAD-01', {
        title: 'states what it expected',
        run: () => Promise.reject(new Blocked('IMG-UPLOAD-01', 'no image', 'an image')),
      }),
    ])
    expect(verdicts['dependent']).toMatchObject({
      verdict: 'blocked',
      blockedBy: 'IMG-UPLOAD-01',
    })
    expect(verdicts['blocks itself']).toMatchObject({
      verdict: 'fail',
      expectations: [
        {
          expected: 'success of every step of the check',
          received: expect.stringContaining('a failed step: no upload') as string,
        },
      ],
    })
    expect(verdicts['states what it expected']).toMatchObject({
      verdict: 'fail',
      expectations: [{ expected: 'an image', received: 'no image' }],
    })
  })

  it('reports checks that depend on an absent optional feature as not applicable', async () => {
    const verdicts = await verdictsOf([
      actingCheck<World>('IMG-UPLOAD-01', {
        title: 'absent',
        run: () => Promise.reject(new NotApplicable('it has none')),
      }),
      actingCheck<World>('IMG-GET-01', {
        title: 'leaf',
        root: 'IMG-UPLOAD-01',
        run: async (world) => passing(world),
      }),
      actingCheck<World>('IMG-GET-02', {
        title: 'dependent',
        run: () => Promise.reject(new Blocked('IMG-UPLOAD-01', 'none')),
      }),
      watchingCheck<Note>('IMG-IMAGE-01', {
        title: 'watcher',
        sources: ['IMG-UPLOAD-01'],
        examine: () => [],
      }),
    ])
    for (const title of ['absent', 'leaf', 'dependent', 'watcher'])
      expect(verdicts[title], title).toMatchObject({
        verdict: 'not applicable',
        reason: 'it has none',
        reasonCode: 'feature-absent',
      })
  })

  it('fails a check whose step failed if checks block each other in a circle', async () => {
    const verdicts = await verdictsOf([
      actingCheck<World>('IMG-GET-01', {
        title: 'a step failed',
        run: () => Promise.reject(new Blocked('IMG-GET-02', 'no response')),
      }),
      actingCheck<World>('IMG-GET-02', {
        title: 'depends on it',
        run: () => Promise.reject(new Blocked('IMG-GET-01')),
      }),
      actingCheck<World>('IMG-GET-03', {
        title: 'depends on the circle',
        root: 'IMG-GET-02',
        run: async (world) => passing(world),
      }),
    ])
    expect(verdicts).toMatchObject({
      'a step failed': {
        verdict: 'fail',
        expectations: [{ received: 'a failed step: no response' }],
      },
      'depends on it': { verdict: 'blocked', blockedBy: 'IMG-GET-01' },
      'depends on the circle': { verdict: 'blocked', blockedBy: 'IMG-GET-01' },
    })
    expect(verdicts['a step failed']).not.toHaveProperty('blockedBy')
  })

  it('runs a root that is not selected, and does not report it', async () => {
    const checks: AnyCheck[] = [
      actingCheck<World>('IMG-UPLOAD-01', { title: 'root', run: async (world) => failing(world) }),
      actingCheck<World>('IMG-GET-01', {
        title: 'leaf',
        root: 'IMG-UPLOAD-01',
        run: async (world) => passing(world),
      }),
    ]
    const verdicts = await run(checks, {
      selected: ({ requirement }) => requirement === 'IMG-GET-01',
    }).verdicts
    expect(verdicts).toMatchObject([
      { title: 'leaf', verdict: 'blocked', blockedBy: 'IMG-UPLOAD-01' },
    ])
  })

  it('reports a check whose keys are not set, and checks that depend on it, as not covered', async () => {
    const verdicts = await verdictsOf(
      [
        actingCheck<World>('IMG-SERVICE-01', {
          title: 'without its key',
          run: async (world) => passing(world),
        }),
        actingCheck<World>('IMG-GET-01', {
          title: 'dependent',
          root: 'IMG-SERVICE-01',
          run: async (world) => passing(world),
        }),
        actingCheck<World>('IMG-GET-02', {
          title: 'needs a key',
          run: () => Promise.reject(new NotCovered<string>('too large', ['images.bulk'])),
        }),
        actingCheck<World>('IMG-GET-03', {
          title: 'not applicable',
          run: () => Promise.reject(new NotApplicable('none')),
        }),
      ],
      { missing: ({ needs }) => needs.filter((need) => need === 'images.delivery') },
    )
    expect(verdicts['without its key']).toMatchObject({
      verdict: 'not covered',
      needs: ['images.delivery'],
    })
    expect(verdicts['dependent']).toMatchObject({
      verdict: 'not covered',
      needs: ['images.delivery'],
    })
    expect(verdicts['needs a key']).toMatchObject({
      verdict: 'not covered',
      needs: ['images.bulk'],
    })
    expect(verdicts['not applicable']?.verdict).toBe('not applicable')
  })

  it('shows each message to the watching checks, and does not pass a check that examined none', async () => {
    const about = (text: string) => (note: Note) =>
      note.text === text
        ? [{ name: 'is good', held: text === 'good', expected: 'good', received: text }]
        : []
    const verdicts = await verdictsOf([
      actingCheck<World>('IMG-GET-01', { title: 'good', run: async (world) => passing(world) }),
      actingCheck<World>('IMG-GET-02', { title: 'bad', run: async (world) => failing(world) }),
      watchingCheck<Note>('IMG-IMAGE-01', {
        title: 'saw good',
        sources: [],
        examine: about('good'),
      }),
      watchingCheck<Note>('IMG-IMAGE-04', { title: 'saw bad', sources: [], examine: about('bad') }),
      watchingCheck<Note>('IMG-IMAGE-06', {
        title: 'saw nothing',
        sources: [],
        examine: about('other'),
      }),
      watchingCheck<Note>('IMG-IMAGE-07', {
        title: 'without messages',
        sources: ['IMG-GET-02'],
        examine: about('other'),
      }),
    ])
    expect(verdicts['saw good']?.verdict).toBe('pass')
    expect(verdicts['saw bad']).toMatchObject({
      verdict: 'fail',
      exchanges: [{ operation: 'bad' }],
    })
    expect(verdicts['saw nothing']?.verdict).toBe('not covered')
    expect(verdicts['without messages']).toMatchObject({
      verdict: 'blocked',
      blockedBy: 'IMG-GET-02',
    })
  })

  it('runs acting checks for a watching check that is selected alone', async () => {
    const checks: AnyCheck[] = [
      actingCheck<World>('IMG-GET-01', { title: 'sends', run: async (world) => passing(world) }),
      watchingCheck<Note>('IMG-IMAGE-01', {
        title: 'watches',
        sources: [],
        examine: () => [{ name: 'seen', held: true, expected: '', received: '' }],
      }),
    ]
    expect(await run(checks, { selected: ({ kind }) => kind === 'watch' }).verdicts).toMatchObject([
      { title: 'watches', verdict: 'pass' },
    ])
  })

  it('runs checks with an exclusive lock alone, and checks that share a lock together', async () => {
    let inside = 0
    const most: Record<string, number> = {}
    const busy = (name: string) => async (world: World) => {
      inside += 1
      await new Promise((resolve) => setTimeout(resolve, 5))
      most[name] = Math.max(most[name] ?? 0, inside)
      await new Promise((resolve) => setTimeout(resolve, 5))
      inside -= 1
      passing(world)
    }
    const verdicts = await run([
      actingCheck<World>('IMG-CONFIG-01', {
        title: 'shares 1',
        sharedLock: 'config',
        run: busy('shared'),
      }),
      actingCheck<World>('IMG-CONFIG-01', {
        title: 'alone 1',
        exclusiveLock: 'config',
        run: busy('alone'),
      }),
      actingCheck<World>('IMG-CONFIG-01', {
        title: 'shares 2',
        sharedLock: 'config',
        run: busy('shared'),
      }),
      actingCheck<World>('IMG-CONFIG-01', {
        title: 'alone 2',
        exclusiveLock: 'config',
        run: busy('alone'),
      }),
    ]).verdicts
    expect(verdicts.every(({ verdict }) => verdict === 'pass')).toBe(true)
    expect(most).toEqual({ shared: 2, alone: 1 })
  })

  it('reaches a stage although several parts of a check wait for it', async () => {
    const events: string[] = []
    const waiting = actingCheck<World>('IMG-GET-01', {
      title: 'waits three times',
      run: async (world) => {
        const waits = [1, 2, 3].map(() => world.waitForStage('late-writes'))
        expect(await Promise.all(waits)).toEqual([true, true, true])
        events.push('late writes')
        await new Promise((resolve) => setTimeout(resolve, 10))
        events.push('late writes end')
        passing(world)
      },
    })
    const last = actingCheck<World>('IMG-GET-02', {
      title: 'waits for the end',
      run: async (world) => {
        await world.waitForStage('final')
        events.push('final')
        passing(world)
      },
    })
    const verdicts = await run([waiting, last]).verdicts
    expect(verdicts.map(({ verdict }) => verdict)).toEqual(['pass', 'pass'])
    expect(events).toEqual(['late writes', 'late writes end', 'final'])
  })

  it('reaches a stage although a check waits for the verdict of one that waits for the stage', async () => {
    const events: string[] = []
    const waiting = actingCheck<World>('IMG-GET-01', {
      title: 'waits for a stage',
      run: async (world) => {
        await world.waitForStage('stable-reads')
        events.push('stable reads')
        passing(world)
      },
    })
    const asking = actingCheck<World>('IMG-GET-02', {
      title: 'asks for its verdict',
      run: async (world) => {
        const others = world.shared('others', async (own) => own.isMet('IMG-GET-01'))
        events.push(`met: ${await others}`)
        passing(world)
      },
    })
    const last = actingCheck<World>('IMG-GET-03', {
      title: 'waits for a later stage',
      run: async (world) => {
        await world.waitForStage('final')
        events.push('final')
        passing(world)
      },
    })
    const verdicts = await run([last, asking, waiting]).verdicts
    expect(verdicts.map(({ verdict }) => verdict)).toEqual(['pass', 'pass', 'pass'])
    expect(events).toEqual(['stable reads', 'met: true', 'final'])
  })

  it('reaches a stage when all other checks have ended or wait', async () => {
    const events: string[] = []
    const pause = () => new Promise((resolve) => setTimeout(resolve, 5))
    const staged = (name: string, ...stages: Stage[]) =>
      actingCheck<World>('IMG-GET-01', {
        title: name,
        root: 'IMG-ADDRESS-01',
        run: async (world) => {
          for (const stage of stages) {
            await pause()
            expect(await world.waitForStage(stage)).toBe(true)
            events.push(`${stage} ${name}`)
          }
          await pause()
          passing(world)
        },
      })
    const root = actingCheck<World>('IMG-ADDRESS-01', {
      title: 'root',
      run: async (world) => passing(world),
    })
    const slow = actingCheck<World>('IMG-GET-02', {
      title: 'slow',
      run: async (world) =>
        pause()
          .then(pause)
          .then(pause)
          .then(() => events.push('slow'))
          .then(() => passing(world)),
    })
    const leave = async (world: World) =>
      void (await world.waitForStage('final').then((waited) => waited && events.push('cleaned up')))
    const verdicts = await run(
      [
        staged('a', 'late-writes', 'stable-reads'),
        staged('b', 'stable-reads'),
        staged('c', 'late-writes', 'final'),
        slow,
        root,
      ],
      { cleanUp: leave },
    ).verdicts
    expect(verdicts.map(({ verdict }) => verdict)).toEqual(['pass', 'pass', 'pass', 'pass', 'pass'])
    expect(events.slice(0, 5)).toEqual([
      'slow',
      'late-writes a',
      'late-writes c',
      'stable-reads b',
      'stable-reads a',
    ])
    // A check that has ended cleans up as soon as the final stage opens. Check c waits for that
    // stage itself, so its cleanup finds the stage open and does not wait.
    expect(events.slice(5).toSorted()).toEqual([
      'cleaned up',
      'cleaned up',
      'cleaned up',
      'cleaned up',
      'final c',
    ])
  })

  it('rejects waiting for a stage if other checks wait for the caller', async () => {
    const verdicts = await verdictsOf([
      actingCheck<World>('IMG-GET-01', {
        title: 'holds a lock',
        exclusiveLock: 'config',
        run: async (world) => void (await world.waitForStage('late-writes')),
      }),
      actingCheck<World>('IMG-GET-02', {
        title: 'creates a shared value',
        run: async (world) =>
          void (await world.shared('value', ({ waitForStage }) => waitForStage('late-writes'))),
      }),
    ])
    expect(verdicts['holds a lock']?.reason).toContain('holds the lock "config" cannot wait')
    expect(verdicts['creates a shared value']?.reason).toContain('a shared value cannot wait')
  })

  it('sends roots and checks with a lock first, and long sequences early', async () => {
    const sent: string[] = []
    const gate = newGate({ concurrency: 1 })
    const sends = (name: string) => async (world: World) => {
      const out = await world.gate.enter(world.priority)
      sent.push(name)
      setTimeout(out, 2)
      passing(world)
    }
    await run(
      [
        actingCheck<World>('IMG-GET-01', { title: 'first', run: sends('first') }),
        actingCheck<World>('IMG-GET-02', { title: 'second', run: sends('second') }),
        actingCheck<World>('IMG-GET-02', { title: 'third', run: sends('third') }),
        actingCheck<World>('IMG-GET-03', { title: 'early', sendsEarly: true, run: sends('early') }),
        actingCheck<World>('IMG-CONFIG-01', {
          title: 'with a lock',
          sharedLock: 'config',
          run: sends('with a lock'),
        }),
        actingCheck<World>('IMG-LIST-01', {
          title: 'dependent',
          root: 'IMG-UPLOAD-01',
          run: sends('dependent'),
        }),
        actingCheck<World>('IMG-UPLOAD-01', { title: 'root', run: sends('root') }),
      ],
      { gate },
    ).verdicts
    expect(sent).toEqual(['first', 'with a lock', 'root', 'second', 'early', 'third', 'dependent'])
  })

  it('creates a shared value once, and shares its failure', async () => {
    let creations = 0
    const shares = async (world: World) => {
      await world.shared('value', () => {
        creations += 1
        return Promise.reject(new Blocked('IMG-UPLOAD-01', 'no upload'))
      })
    }
    const verdicts = await verdictsOf([
      actingCheck<World>('IMG-GET-01', { title: 'one', run: shares }),
      actingCheck<World>('IMG-GET-02', { title: 'other', run: shares }),
      actingCheck<World>('IMG-UPLOAD-01', { title: 'root', run: async (world) => failing(world) }),
    ])
    expect(creations).toBe(1)
    expect([verdicts['one']?.blockedBy, verdicts['other']?.blockedBy]).toEqual([
      'IMG-UPLOAD-01',
      'IMG-UPLOAD-01',
    ])
  })

  it.each([
    [1, { verdict: 'pass' }],
    [2, { verdict: 'blocked', reasonCode: 'root-held-alone' }],
  ])(
    'retries a check that was blocked %i times although the root is met, but only once',
    async (times, expected) => {
      let runs = 0
      const verdicts = await verdictsOf([
        actingCheck<World>('IMG-UPLOAD-01', {
          title: 'root',
          run: async (world) => passing(world),
        }),
        actingCheck<World>('IMG-GET-01', {
          title: 'blocked',
          run: async (world) => {
            runs += 1
            if (runs <= times) throw new Blocked('IMG-UPLOAD-01', 'no upload')
            passing(world)
          },
        }),
      ])
      expect(verdicts['blocked']).toMatchObject(expected)
      expect(runs).toBe(2)
    },
  )

  it('ends early when it is cancelled', async () => {
    const stop = new AbortController()
    stop.abort()
    const verdicts = await verdictsOf(
      [actingCheck<World>('IMG-GET-01', { title: 'late', run: async (world) => passing(world) })],
      { signal: stop.signal },
    )
    expect(verdicts['late']).toMatchObject({
      verdict: 'not covered',
      reason: 'the run was cancelled',
      reasonCode: 'cancelled',
    })
  })
})

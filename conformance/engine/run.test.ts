import { describe, expect, it } from 'vitest'
import { playing, watching, type Check } from './check.ts'
import { wallClock } from './clock.ts'
import type { Context, RunOptions } from './context.ts'
import { gateOf } from './gate.ts'
import type { Message } from './ledger.ts'
import { startRun } from './run.ts'
import { Blocked, NotApplicable, NotCovered } from './signals.ts'
import type { Stage } from './stages.ts'
import type { ExchangeRecord } from './verdict.ts'

/** A message that says something; the engine asks no more of it than its number and its record. */
class Note implements Message {
  static count = 0
  readonly kind = 'text'
  readonly number = (Note.count += 1)
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
  record(): ExchangeRecord {
    return {
      number: this.number,
      operation: this.text,
      request: { method: '', url: '', headers: {}, body: null },
      curl: '',
      milliseconds: 0,
    }
  }
}

type World = Context<Note>
type Any = Check<World, Note>

const holds = (held: boolean) => ({
  name: 'holds',
  expected: 'yes',
  test: () => held,
  received: () => 'no',
})
const passing = (world: World) => {
  const note = new Note('good')
  world.ledger.note(note)
  world.ledger.expect(note, holds(true))
}
const failing = (world: World) => {
  const note = new Note('bad')
  world.ledger.note(note)
  world.ledger.expect(note, holds(false))
}
const run = (checks: readonly Any[], more: Partial<RunOptions<World, Note>> = {}) =>
  startRun<World, Note>({
    checks,
    open: (context) => context,
    gate: gateOf({ concurrency: 4 }),
    clock: wallClock,
    ...more,
  })
const verdictsOf = async (checks: readonly Any[], more?: Partial<RunOptions<World, Note>>) =>
  Object.fromEntries(
    (await run(checks, more).verdicts).map(({ title, ...verdict }) => [title, verdict]),
  )

describe('a run', () => {
  it('passes what held, and fails what broke at a must', async () => {
    const verdicts = await verdictsOf([
      playing<World>('IMG-GET-01', { title: 'good', play: async (world) => passing(world) }),
      playing<World>('IMG-GET-02', { title: 'bad', play: async (world) => failing(world) }),
      playing<World>('IMG-LIST-06', { title: 'advised', play: async (world) => failing(world) }),
    ])
    expect(verdicts['good']?.verdict).toBe('pass')
    expect(verdicts['bad']).toMatchObject({
      verdict: 'fail',
      expectations: [{ held: false, received: 'no' }],
      exchanges: [{ operation: 'bad' }],
    })
    expect(verdicts['advised']?.verdict).toBe('warn')
  })

  it('calls a check that expected nothing its own error', async () => {
    const verdicts = await verdictsOf([
      playing<World>('IMG-GET-01', { title: 'silent', play: async () => {} }),
      playing<World>('IMG-LIST-08', { title: 'unobserved', play: async () => {} }),
      playing<World>('IMG-LIST-08', { title: 'judged', play: async (world) => failing(world) }),
      playing<World>('IMG-GET-02', {
        title: 'crashed',
        play: () => Promise.reject(new TypeError('ours')),
      }),
    ])
    for (const title of ['silent', 'unobserved', 'judged', 'crashed'])
      expect(verdicts[title]?.verdict, title).toBe('error')
    expect(verdicts['crashed']?.reason).toContain('ours')
  })

  it('names the first of all causes where one check stands on another', async () => {
    const verdicts = await verdictsOf([
      playing<World>('IMG-ADDRESS-01', { title: 'root', play: async (world) => failing(world) }),
      playing<World>('IMG-UPLOAD-01', {
        title: 'middle',
        root: 'IMG-ADDRESS-01',
        play: async (world) => passing(world),
      }),
      playing<World>('IMG-GET-01', {
        title: 'leaf',
        root: 'IMG-UPLOAD-01',
        play: async (world) => passing(world),
      }),
      watching<Note>('IMG-IMAGE-01', {
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

  it('blocks by what a play builds on, and fails a check that builds on itself', async () => {
    const blocked = (world: World) =>
      Promise.reject(new Blocked('IMG-UPLOAD-01', `no upload ${world.priority}`))
    const verdicts = await verdictsOf([
      playing<World>('IMG-GET-01', { title: 'built on it', play: blocked }),
      playing<World>('IMG-UPLOAD-01', { title: 'itself', play: blocked }),
    ])
    expect(verdicts['built on it']).toMatchObject({
      verdict: 'blocked',
      blockedBy: 'IMG-UPLOAD-01',
    })
    expect(verdicts['itself']?.verdict).toBe('fail')
  })

  it('holds nothing against what stands on something that the target may be without', async () => {
    const verdicts = await verdictsOf([
      playing<World>('IMG-UPLOAD-01', {
        title: 'absent',
        play: () => Promise.reject(new NotApplicable('it has none')),
      }),
      playing<World>('IMG-GET-01', {
        title: 'leaf',
        root: 'IMG-UPLOAD-01',
        play: async (world) => passing(world),
      }),
      playing<World>('IMG-GET-02', {
        title: 'built on it',
        play: () => Promise.reject(new Blocked('IMG-UPLOAD-01', 'none')),
      }),
      watching<Note>('IMG-IMAGE-01', {
        title: 'watcher',
        sources: ['IMG-UPLOAD-01'],
        examine: () => [],
      }),
    ])
    for (const title of ['absent', 'leaf', 'built on it', 'watcher'])
      expect(verdicts[title], title).toMatchObject({
        verdict: 'not applicable',
        reason: 'it has none',
        reasonCode: 'feature-absent',
      })
  })

  it('ends where blocks go round in a circle', async () => {
    const verdicts = await verdictsOf([
      playing<World>('IMG-GET-01', {
        title: 'one',
        play: () => Promise.reject(new Blocked('IMG-GET-02', 'other')),
      }),
      playing<World>('IMG-GET-02', {
        title: 'other',
        play: () => Promise.reject(new Blocked('IMG-GET-01', 'one')),
      }),
    ])
    expect(Object.values(verdicts).map(({ verdict }) => verdict)).toEqual(['blocked', 'blocked'])
  })

  it('plays a root that is not selected, and does not report it', async () => {
    const checks: Any[] = [
      playing<World>('IMG-UPLOAD-01', { title: 'root', play: async (world) => failing(world) }),
      playing<World>('IMG-GET-01', {
        title: 'leaf',
        root: 'IMG-UPLOAD-01',
        play: async (world) => passing(world),
      }),
    ]
    const verdicts = await run(checks, {
      selected: ({ requirement }) => requirement === 'IMG-GET-01',
    }).verdicts
    expect(verdicts).toMatchObject([
      { title: 'leaf', verdict: 'blocked', blockedBy: 'IMG-UPLOAD-01' },
    ])
  })

  it('does not cover what the target file does not give, and what stands on that', async () => {
    const verdicts = await verdictsOf(
      [
        playing<World>('IMG-SERVICE-01', {
          title: 'lacking',
          play: async (world) => passing(world),
        }),
        playing<World>('IMG-GET-01', {
          title: 'on it',
          root: 'IMG-SERVICE-01',
          play: async (world) => passing(world),
        }),
        playing<World>('IMG-GET-02', {
          title: 'found out',
          play: () => Promise.reject(new NotCovered<string>('too large', ['images.bulk'])),
        }),
        playing<World>('IMG-GET-03', {
          title: 'without it',
          play: () => Promise.reject(new NotApplicable('none')),
        }),
      ],
      { missing: ({ needs }) => needs.filter((need) => need === 'images.delivery') },
    )
    expect(verdicts['lacking']).toMatchObject({
      verdict: 'not covered',
      needs: ['images.delivery'],
    })
    expect(verdicts['on it']).toMatchObject({ verdict: 'not covered', needs: ['images.delivery'] })
    expect(verdicts['found out']).toMatchObject({ verdict: 'not covered', needs: ['images.bulk'] })
    expect(verdicts['without it']?.verdict).toBe('not applicable')
  })

  it('shows each message to the watching checks, and passes none that saw nothing', async () => {
    const about = (text: string) => (note: Note) =>
      note.text === text
        ? [{ name: 'is good', held: text === 'good', expected: 'good', received: text }]
        : []
    const verdicts = await verdictsOf([
      playing<World>('IMG-GET-01', { title: 'good', play: async (world) => passing(world) }),
      playing<World>('IMG-GET-02', { title: 'bad', play: async (world) => failing(world) }),
      watching<Note>('IMG-IMAGE-01', { title: 'saw good', sources: [], examine: about('good') }),
      watching<Note>('IMG-IMAGE-04', { title: 'saw bad', sources: [], examine: about('bad') }),
      watching<Note>('IMG-IMAGE-06', {
        title: 'saw nothing',
        sources: [],
        examine: about('other'),
      }),
      watching<Note>('IMG-IMAGE-07', {
        title: 'starved',
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
    expect(verdicts['starved']).toMatchObject({ verdict: 'blocked', blockedBy: 'IMG-GET-02' })
  })

  it('plays for a watching check that is selected alone', async () => {
    const checks: Any[] = [
      playing<World>('IMG-GET-01', { title: 'feeds', play: async (world) => passing(world) }),
      watching<Note>('IMG-IMAGE-01', {
        title: 'watches',
        sources: [],
        examine: () => [{ name: 'seen', held: true, expected: '', received: '' }],
      }),
    ]
    expect(await run(checks, { selected: ({ kind }) => kind === 'watch' }).verdicts).toMatchObject([
      { title: 'watches', verdict: 'pass' },
    ])
  })

  it('keeps apart whoever has a word for himself, and lets those play together who share it', async () => {
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
      playing<World>('IMG-CONFIG-01', {
        title: 'shares 1',
        shares: 'config',
        play: busy('shared'),
      }),
      playing<World>('IMG-CONFIG-01', {
        title: 'alone 1',
        exclusive: 'config',
        play: busy('alone'),
      }),
      playing<World>('IMG-CONFIG-01', {
        title: 'shares 2',
        shares: 'config',
        play: busy('shared'),
      }),
      playing<World>('IMG-CONFIG-01', {
        title: 'alone 2',
        exclusive: 'config',
        play: busy('alone'),
      }),
    ]).verdicts
    expect(verdicts.every(({ verdict }) => verdict === 'pass')).toBe(true)
    expect(most).toEqual({ shared: 2, alone: 1 })
  })

  it('goes from stage to stage when all others have ended or wait', async () => {
    const told: string[] = []
    const pause = () => new Promise((resolve) => setTimeout(resolve, 5))
    const staged = (name: string, ...stages: Stage[]) =>
      playing<World>('IMG-GET-01', {
        title: name,
        root: 'IMG-ADDRESS-01',
        play: async (world) => {
          for (const stage of stages) {
            await pause()
            expect(await world.turn(stage)).toBe(true)
            told.push(`${stage} ${name}`)
          }
          await pause()
          passing(world)
        },
      })
    const root = playing<World>('IMG-ADDRESS-01', {
      title: 'root',
      play: async (world) => passing(world),
    })
    const slow = playing<World>('IMG-GET-02', {
      title: 'slow',
      play: async (world) =>
        pause()
          .then(pause)
          .then(pause)
          .then(() => told.push('slow'))
          .then(() => passing(world)),
    })
    const leave = async (world: World) =>
      void (await world.turn('last').then((came) => came && told.push('tidied')))
    const verdicts = await run(
      [staged('a', 'late', 'still'), staged('b', 'still'), staged('c', 'late', 'last'), slow, root],
      { leave },
    ).verdicts
    expect(verdicts.map(({ verdict }) => verdict)).toEqual(['pass', 'pass', 'pass', 'pass', 'pass'])
    expect(told.slice(0, 5)).toEqual(['slow', 'late a', 'late c', 'still b', 'still a'])
    // Whoever left before tidies up at once with the last stage; those who were the last have nothing to wait for.
    expect(told.slice(5).toSorted()).toEqual(['last c', 'tidied', 'tidied', 'tidied', 'tidied'])
  })

  it('has no stages for those who hold up others', async () => {
    const verdicts = await verdictsOf([
      playing<World>('IMG-GET-01', {
        title: 'has a word',
        exclusive: 'config',
        play: async (world) => void (await world.turn('late')),
      }),
      playing<World>('IMG-GET-02', {
        title: 'makes something',
        play: async (world) => void (await world.shared('thing', ({ turn }) => turn('late'))),
      }),
    ])
    expect(verdicts['has a word']?.reason).toContain('has the word «config» cannot wait')
    expect(verdicts['makes something']?.reason).toContain('made for several cannot wait')
  })

  it('lets those send first who hold up others, and those not last whose requests follow one another', async () => {
    const sent: string[] = []
    const gate = gateOf({ concurrency: 1 })
    const sends = (name: string) => async (world: World) => {
      const out = await world.gate.enter(world.priority)
      sent.push(name)
      setTimeout(out, 2)
      passing(world)
    }
    await run(
      [
        playing<World>('IMG-GET-01', { title: 'first', play: sends('first') }),
        playing<World>('IMG-GET-02', { title: 'second', play: sends('second') }),
        playing<World>('IMG-GET-02', { title: 'third', play: sends('third') }),
        playing<World>('IMG-GET-03', { title: 'early', early: true, play: sends('early') }),
        playing<World>('IMG-CONFIG-01', { title: 'word', shares: 'config', play: sends('word') }),
        playing<World>('IMG-LIST-01', {
          title: 'on it',
          root: 'IMG-UPLOAD-01',
          play: sends('on it'),
        }),
        playing<World>('IMG-UPLOAD-01', { title: 'root', play: sends('root') }),
      ],
      { gate },
    ).verdicts
    expect(sent).toEqual(['first', 'word', 'root', 'second', 'early', 'third', 'on it'])
  })

  it('makes what is shared once, and shares its failure', async () => {
    let made = 0
    const shares = async (world: World) => {
      await world.shared('thing', () => {
        made += 1
        return Promise.reject(new Blocked('IMG-UPLOAD-01', 'no upload'))
      })
    }
    const verdicts = await verdictsOf([
      playing<World>('IMG-GET-01', { title: 'one', play: shares }),
      playing<World>('IMG-GET-02', { title: 'other', play: shares }),
      playing<World>('IMG-UPLOAD-01', { title: 'root', play: async (world) => failing(world) }),
    ])
    expect(made).toBe(1)
    expect([verdicts['one']?.blockedBy, verdicts['other']?.blockedBy]).toEqual([
      'IMG-UPLOAD-01',
      'IMG-UPLOAD-01',
    ])
  })

  it('ends early when it is called off', async () => {
    const stop = new AbortController()
    stop.abort()
    const verdicts = await verdictsOf(
      [playing<World>('IMG-GET-01', { title: 'late', play: async (world) => passing(world) })],
      { signal: stop.signal },
    )
    expect(verdicts['late']).toMatchObject({
      verdict: 'not covered',
      reason: 'the run was called off',
      reasonCode: 'called-off',
    })
  })
})

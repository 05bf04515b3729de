import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { processClock } from '../../engine/index.ts'
import { greeting } from '../../../mocks/registry/greeting.ts'
import { hooks } from '../../../mocks/registry/hooks.ts'
import { images } from '../../../mocks/registry/images.ts'
import { receiver } from '../../../mocks/registry/receiver.ts'
import { tools } from '../../../mocks/registry/tools.ts'
import type { BundledOptions } from '../../../mocks/registry/entry.ts'
import { findFamily } from '../families.ts'
import { startNullTarget } from '../null-targets/common.ts'
import { callBehaviors } from './calls.ts'
import { connectionBehaviors } from './connections.ts'
import { deliveryBehaviors } from './deliveries.ts'
import { plainProgram, programBehaviors, type ProgramBehavior } from './programs.ts'
import type { Behavior } from './behavior.ts'
import { bodyBehaviors } from './bodies.ts'
import { responseBehaviors } from './responses.ts'
import { startProxies } from './proxy.ts'

const options: BundledOptions = { auth: 'none', touchstoneArguments: [], timers: processClock }

interface Bundled {
  target: object
  suite?: object
  close(): Promise<void>
}

const bundled = {
  images: () => images.bundled(options),
  hooks: () => hooks.bundled(options),
  receiver: () => receiver.bundled(),
  tools: () => tools.bundled(options),
  greeting: startGreeting,
} satisfies Readonly<Record<string, () => Promise<Bundled>>>

export type SubjectName = keyof typeof bundled | 'programs'

/**
 * The contracts for hooks and receivers do not specify the bodies of responses, so a changed body
 * is harmless.
 */
const harmlessBodies = bodyBehaviors.map((behavior) => ({ ...behavior, isHarmless: true }))
/**
 * The same contracts do not specify the bodies, and clients ignore bytes after the declared length.
 * So a body that is longer than declared is harmless.
 */
const responsesWithHarmlessBodies = responseBehaviors.map((behavior) =>
  behavior.name === 'longer than declared' ? { ...behavior, isHarmless: true } : behavior,
)

/**
 * Omits a behavior that does not change event streams, with which the bundled tool server responds.
 * Line breaks are allowed in the ids of items.
 */
const bodiesOfTools = bodyBehaviors
  .filter(({ name }) => name !== 'gzip that is broken')
  .map((behavior) =>
    behavior.name === 'ids with line breaks' ? { ...behavior, isHarmless: true } : behavior,
  )

/**
 * The behaviors of each subject. A subject is a kind of target. `programs` are tool servers that
 * the suite starts itself.
 */
export const behaviorsOf: Readonly<Record<SubjectName, readonly (Behavior | ProgramBehavior)[]>> = {
  images: [...connectionBehaviors, ...bodyBehaviors, ...responseBehaviors],
  hooks: [
    ...connectionBehaviors,
    ...harmlessBodies,
    ...responsesWithHarmlessBodies,
    ...deliveryBehaviors,
  ],
  receiver: [...connectionBehaviors, ...harmlessBodies, ...responsesWithHarmlessBodies],
  tools: [...connectionBehaviors, ...bodiesOfTools, ...responseBehaviors],
  greeting: callBehaviors,
  programs: programBehaviors,
}

export const subjectNames = Object.keys(behaviorsOf) as SubjectName[]

/** A running target. */
export interface RunningTarget {
  /** The target file, as JSON. */
  readonly target: string
  close(): Promise<void>
}

/** Starts the bundled greeting server, with its certificate in a file, as target files require. */
async function startGreeting(): Promise<Bundled> {
  const { target, close } = await greeting.bundled()
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-greeting-'))
  const ca = join(folder, 'ca.pem')
  writeFileSync(ca, target.tls?.ca ?? '')
  return {
    target: { ...target, tls: { ca } },
    close: async () => {
      await close()
      rmSync(folder, { recursive: true })
    },
  }
}

/** Starts a target without a hostile behavior. */
export async function startPlain(subject: SubjectName, seed: number): Promise<RunningTarget> {
  if (subject === 'programs') return startProgram(plainProgram, seed)
  const { close, ...server } = await bundled[subject]()
  return { target: targetFile(subject, server, seed), close }
}

/**
 * Starts a hostile target. For a program, the behavior is its code. For the greeting service,
 * it is a complete server. In all other cases, it is a proxy in front of the bundled server.
 */
export async function startHostile(
  subject: SubjectName,
  behavior: Behavior | ProgramBehavior,
  seed: number,
): Promise<RunningTarget> {
  if ('code' in behavior) return startProgram(behavior, seed)
  if (subject === 'greeting' || subject === 'programs') {
    const { origin, close } = await startNullTarget({ ...behavior, serve: behavior.serve! })
    const target = findFamily('greeting').completeTarget(origin)
    return { target: JSON.stringify({ ...target, suite: { seed } }), close }
  }
  const server: Bundled = await bundled[subject]()
  const text = targetFile(subject, server, seed)
  const origins = [...new Set(text.match(/http:\/\/127\.0\.0\.1:\d+/g))].filter(
    // Nothing listens on port 9, so it needs no proxy.
    (origin) => origin !== 'http://127.0.0.1:9',
  )
  const proxies = await startProxies(origins, behavior, seed)
  return {
    target: proxies.rewrite(text),
    close: async () => {
      await proxies.close()
      await server.close()
    },
  }
}

function startProgram({ code }: ProgramBehavior, seed: number): RunningTarget {
  const stdio = { command: process.execPath, args: ['-e', code] }
  const tools = { stdio, get: { tool: 'shelf_get_book', arguments: { id: '1' } } }
  return { target: JSON.stringify({ tools, suite: { seed } }), close: async () => {} }
}

/**
 * The target file of a bundled server. Omits `stdio`, because the suite would start that program
 * itself, without the proxy.
 */
function targetFile(
  subject: string,
  { target, suite = {} }: Omit<Bundled, 'close'>,
  seed: number,
): string {
  const { stdio: _, ...section } = target as { stdio?: unknown }
  return JSON.stringify({
    [subject]: toTargetFile(section),
    suite: { seed, ...toTargetFile(suite) },
  })
}

/** The keys whose values are durations. In a target file, a duration has a unit. */
const durations = new Set(['fetchTimeout', 'settle', 'patience', 'watch', 'timeout'])
const toTargetFile = (section: object): object =>
  Object.fromEntries(
    Object.entries(section).map(([key, value]: [string, unknown]) => [
      key,
      durations.has(key) ? `${String(value)}ms` : value,
    ]),
  )

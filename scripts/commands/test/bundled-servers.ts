import { once } from 'node:events'
import { parentPort, workerData } from 'node:worker_threads'
import { processClock } from '../../../conformance/engine/clock.ts'
import type { Section } from '../../../conformance/suite.ts'
import type { Target } from '../../../conformance/target.ts'
import { mocks, type BundledOptions } from '../../../mocks/registry.ts'
import type { BundledRequest, BundledTarget } from './bundled.ts'

// The thread of the bundled servers. It answers once, when they listen, and ends after any message.

/** The mock of each section. Does not compile if a section has no mock. */
const starters: { readonly [S in Section]: Starter<S> } = mocks

interface Starter<S extends Section> {
  bundled(options: BundledOptions): Promise<{
    target: NonNullable<Target[S]>
    suite?: Partial<Target['suite']>
    close(): Promise<void>
  }>
}

const { sections, pattern, touchstoneArguments } = workerData as BundledRequest
const started = await Promise.all(
  sections.map(async (section) => ({
    section,
    ...(await starters[section].bundled({
      auth: pattern,
      touchstoneArguments,
      // A clock that stops while the process cannot run, so that no timer expires meanwhile.
      timers: processClock,
    })),
  })),
)
const answer: BundledTarget = {
  target: Object.fromEntries(started.map(({ section, target }) => [section, target])),
  suite: Object.assign({}, ...started.map(({ suite }) => suite)) as BundledTarget['suite'],
}
parentPort!.postMessage(answer)
await once(parentPort!, 'message')
await Promise.all(started.map(({ close }) => close()))
parentPort!.close()

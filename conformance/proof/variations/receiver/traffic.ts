import { setTimeout as sleep } from 'node:timers/promises'
import { trusted } from '../../faults/receiver/building.ts'
import type { ReceiverFactor } from './variation.ts'
import { kept } from './building.ts'

/** Milliseconds of the wall in a second of the proof's clock. */
const second = 1000 / 20

const calls = kept(() => ({ count: 0 }))
const line = kept(() => ({ last: Promise.resolve() as Promise<unknown> }))

/** When a receiver answers, and what it does besides. */
export const traffic: readonly ReceiverFactor[] = [
  {
    requirement: 'EVT-RECEIVER-16',
    name: 'time of answers',
    levels: [
      { name: 'at once', description: 'Answers as fast as it can.' },
      {
        name: 'uneven',
        description: 'Takes its time for some deliveries, so that answers overtake each other.',
        deviation: {
          around: async (call, next) => {
            await sleep(((calls(call).count += 7) % 4) * 3)
            return next()
          },
        },
      },
      {
        name: 'six seconds',
        notCombined: true,
        description: 'Takes six seconds for what tells of pipelines, jobs and deployments.',
        deviation: {
          around: trusted(async ({ event = '' }, _call, next) => {
            if (/^(Pipeline|Job|Deployment)/.test(event)) await sleep(6 * second)
            return next()
          }),
        },
      },
      {
        name: 'one after the other',
        notCombined: true,
        description:
          'Takes one delivery at a time, and nearly half a second for each: where many come at once, the last one waits.',
        deviation: {
          around: trusted((_delivery, call, next) => {
            const queue = line(call)
            const turn = queue.last.then(async () => {
              await sleep(0.4 * second)
              return next()
            })
            queue.last = turn
            return turn
          }),
        },
      },
    ],
  },
  {
    requirement: 'EVT-RECEIVER-17',
    name: 'work',
    levels: [
      { name: 'none', description: 'Has nothing to do after its answers.' },
      {
        name: 'queued',
        description: 'Works after its answers, for longer than the suite watches.',
        deviation: { rules: { workMs: 1000 } },
      },
    ],
  },
  {
    requirement: 'form',
    name: 'limits of deliveries',
    levels: [
      { name: 'none', description: 'Takes every delivery.' },
      {
        name: 'now and then',
        description: 'Puts a delivery off now and then, with 429.',
        deviation: {
          around: async (call, next) => {
            if ((calls(call).count += 1) % 20 !== 7) return next()
            await call.bytes().catch(() => undefined)
            return { status: 429, headers: { 'Retry-After': '1' }, body: { error: 'Not now' } }
          },
        },
      },
    ],
  },
]

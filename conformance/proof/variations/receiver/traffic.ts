import { setTimeout as sleep } from 'node:timers/promises'
import { onTrusted } from '../../faults/receiver/building.ts'
import type { ReceiverFactor } from './variation.ts'
import { RateWindow, secondMs } from '../rate-window.ts'
import { newState, refuseSome } from './building.ts'

const calls = newState(() => ({ count: 0 }))
const windowOf = newState(() => new RateWindow(20, 1))
const queueOf = newState(() => ({ last: Promise.resolve() as Promise<unknown> }))

/** Choices about when a receiver responds, and about its rate limit. */
export const traffic: readonly ReceiverFactor[] = [
  {
    requirement: 'EVT-RECEIVER-16',
    name: 'duration of responses',
    values: [
      { name: 'at once', description: 'Responds as fast as it can.' },
      {
        name: 'uneven',
        description: 'Delays some responses, so that others overtake them.',
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
        description: 'Responds to pipelines, jobs and deployments after six seconds.',
        deviation: {
          around: onTrusted(async ({ event = '' }, _call, next) => {
            if (/^(Pipeline|Job|Deployment)/.test(event)) await sleep(6 * secondMs)
            return next()
          }),
        },
      },
      {
        name: 'one delivery at a time',
        notCombined: true,
        description:
          'Handles one delivery at a time, in 0.4 seconds each, so that later deliveries must wait.',
        deviation: {
          around: onTrusted((_delivery, call, next) => {
            const queue = queueOf(call)
            const turn = queue.last.then(async () => {
              await sleep(0.4 * secondMs)
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
    requirement: 'EVT-RECEIVER-32',
    name: 'bodies in chunks',
    values: [
      { name: 'accepted', description: 'Accepts bodies in chunks.' },
      {
        name: 'refused with 411',
        description: 'Requires Content-Length.',
        deviation: refuseSome(
          411,
          (_delivery, { headers }) => headers['transfer-encoding'] === 'chunked',
        ),
      },
    ],
  },
  {
    requirement: 'EVT-RECEIVER-17',
    name: 'work after the response',
    values: [
      { name: 'none', description: 'Does nothing more with a delivery after it has responded.' },
      {
        name: 'queued',
        description:
          'Processes each delivery after it has responded, for longer than the suite watches.',
        deviation: { rules: { workMs: 1000 } },
      },
    ],
  },
  {
    requirement: 'none',
    name: 'rate limit of deliveries',
    values: [
      { name: 'none', description: 'Accepts every delivery.' },
      {
        name: 'some deliveries are refused with 429',
        description: 'Refuses some deliveries with 429.',
        deviation: {
          around: async (call, next) => {
            if ((calls(call).count += 1) % 20 !== 7) return next()
            await call.bytes().catch(() => undefined)
            return { status: 429, headers: { 'Retry-After': '1' }, body: { error: 'Not now' } }
          },
        },
      },
      {
        name: '20 deliveries per second',
        notCombined: true,
        description: 'Accepts 20 deliveries a second, and then returns 429.',
        deviation: {
          around: async (call, next) => {
            if (windowOf(call).accepts()) return next()
            await call.bytes().catch(() => undefined)
            return { status: 429, body: { error: 'Not now' } }
          },
        },
      },
    ],
  },
]

import { randomInt } from 'node:crypto'
import { HttpClient, type HttpExchange } from '../../wire/index.ts'
import { subject } from '../shared/subject.ts'
import { preflight } from './preflight.ts'
import { checks } from './topics/index.ts'
import { makeUnique } from './support/unique-payload.ts'
import { ReceiverWorld } from './support/world.ts'
import type { ReceiverTarget } from './target.ts'

/**
 * The minimum timeout for a response, in milliseconds. The document only recommends to respond
 * within ten seconds, so slower receivers conform.
 */
const minTimeoutMs = 30_000

/** A program that receives deliveries. */
export const receiver = subject<ReceiverWorld, HttpExchange, ReceiverTarget>({
  checks,
  preflight,
  open(target, environment) {
    const client = new HttpClient({
      ...environment,
      targetUrls: [target.url],
      createsNothing: true,
      timeout: Math.max(minTimeoutMs, environment.timeout),
      userTimeout: environment.timeout,
    })
    // The number that makes the ids of the next delivery unique. It starts at a random number, so
    // that runs differ. It stays below 2^31, for receivers that read ids as 32-bit integers.
    let number = randomInt(1e6, 2 ** 30)
    const nextNumber = () => (number += 1)
    return {
      world: (context) =>
        new ReceiverWorld(context, {
          target,
          client,
          prefix: 'ts',
          makeUnique: (payload) => makeUnique(payload, nextNumber()),
          newSeries: () => {
            const own = nextNumber()
            return (payload) => makeUnique(payload, own)
          },
        }),
      cleanUp: async () => {},
      close: async () => {
        client.close()
        return []
      },
    }
  },
})

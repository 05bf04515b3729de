import { SharedExclusiveLock } from '../../engine/index.ts'
import { randomInt } from 'node:crypto'
import { HttpClient, type HttpExchange } from '../../wire/index.ts'
import { subject } from '../shared/subject.ts'
import { checks } from './topics/index.ts'
import { makeUnique } from './support/unique-payload.ts'
import { ReceiverWorld } from './support/world.ts'
import type { ReceiverTarget } from './target.ts'

/**
 * At least this timeout for a receiver, because answering within ten seconds is only recommended.
 */
const minTimeoutMs = 30_000

/** A program that receives deliveries. */
export const receiver = subject<ReceiverWorld, HttpExchange, ReceiverTarget>({
  checks,
  open(target, environment) {
    const client = new HttpClient({
      ...environment,
      targetUrls: [target.url],
      timeout: Math.max(minTimeoutMs, environment.timeout),
    })
    // Random, so that deliveries differ from those of other runs, too. Below 2^31, for receivers
    // that read 32 bits.
    let number = randomInt(1e6, 2 ** 30)
    const lock = new SharedExclusiveLock()
    return {
      world: (context) =>
        new ReceiverWorld(context, {
          target,
          client,
          prefix: 'ts',
          makeUnique: (payload) => makeUnique(payload, (number += 1)),
          acquireTurn: () => lock.acquire(),
        }),
      cleanUp: async () => {},
      close: async () => {
        client.close()
        return []
      },
    }
  },
})

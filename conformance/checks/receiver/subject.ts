import { SharedExclusiveLock } from '../../engine/index.ts'
import { randomInt } from 'node:crypto'
import { HttpDoor, type HttpExchange } from '../../wire/index.ts'
import { subject } from '../shared/subject.ts'
import { checks } from './topics/index.ts'
import { renewed } from './support/renewed.ts'
import { ReceiverWorld } from './support/world.ts'
import type { ReceiverTarget } from './target.ts'

/** Milliseconds that a receiver has to answer, however short the suite's own patience is: that more than ten seconds are too long is only advised. */
const longest = 30_000

/** A program that takes deliveries. */
export const receiver = subject<ReceiverWorld, HttpExchange, ReceiverTarget>({
  checks,
  open(access, surroundings) {
    const door = new HttpDoor({ ...surroundings, timeout: Math.max(longest, surroundings.timeout) })
    // No two deliveries tell of the same, in this run or in another. Below 2^31, for receivers that read 32 bits.
    let number = randomInt(1e6, 2 ** 30)
    const renew = (text: string) => renewed(text, (number += 1))
    const lock = new SharedExclusiveLock()
    const queue = () => lock.acquire()
    return {
      world: (context) => new ReceiverWorld(context, { access, door, prefix: 'ts', renew, queue }),
      cleanUp: async () => {},
      close: async () => {
        door.close()
        return []
      },
    }
  },
})

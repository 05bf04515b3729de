import { HttpDoor, type HttpExchange } from '../../wire/index.ts'
import { subject } from '../subject.ts'
import { acknowledgement } from './acknowledging.ts'
import { robustness } from './robustness.ts'
import { tokens } from './tokens.ts'
import { ReceiverWorld, type ReceiverAccess } from './world.ts'

/** The part of a target file that a receiver needs. */
export interface ReceiverTarget {
  receiver?: ReceiverAccess | undefined
}

/** Milliseconds that a receiver has to answer, however short the suite's own patience is: that more than ten seconds are too long is only advised. */
const longest = 30_000

/** A program that takes deliveries. */
export const receiver = subject<ReceiverWorld, HttpExchange, ReceiverTarget>({
  section: 'receiver',
  checks: [...acknowledgement, ...tokens, ...robustness],
  open({ receiver: access }, surroundings) {
    if (access === undefined) throw new Error('the target has no receiver section')
    const door = new HttpDoor({ ...surroundings, timeout: Math.max(longest, surroundings.timeout) })
    return {
      world: (context) => new ReceiverWorld(context, { access, door, prefix: 'ts' }),
      leave: async () => {},
      finish: async () => {
        door.close()
        return []
      },
    }
  },
})

import { randomBytes } from 'node:crypto'
import { HttpDoor, Receiver } from '../../wire/index.ts'
import { subject } from '../shared/subject.ts'
import { kindOf } from './support/expectations.ts'
import { checks } from './topics/index.ts'
import { HooksCleanup } from './support/cleanup.ts'
import { HooksRequests } from './support/requests.ts'
import { HooksWorld, type HooksMessage } from './support/world.ts'
import type { HooksTarget } from './target.ts'

/** A service that has hooks, and sends deliveries. */
export const hooks = subject<HooksWorld, HooksMessage, HooksTarget>({
  checks,
  open(access, surroundings) {
    const { suite } = surroundings
    const door = new HttpDoor(surroundings)
    const left = new HooksCleanup(new HooksRequests(access))
    const receivers = new Map<boolean, Promise<Receiver>>()
    const { listen, publicUrl, tlsListen, tlsUrl } = suite.receiver ?? {}
    const receiver = (secure: boolean) => {
      const started =
        receivers.get(secure) ??
        Receiver.start({
          ...surroundings,
          kindOf,
          tls: secure,
          listen: secure ? tlsListen : listen,
          publicUrl: secure ? tlsUrl : publicUrl,
        })
      receivers.set(secure, started)
      return started
    }
    return {
      world: (context) =>
        new HooksWorld(context, {
          access,
          door,
          receiver,
          prefix: `ts${randomBytes(4).toString('hex')}`,
          patience: suite.patience,
          watch: suite.watch,
          made: left.add,
        }),
      cleanUp: async (world) => (surroundings.throwaway ? undefined : left.remove(world.own, door)),
      async close(throwaway) {
        const remaining = throwaway ? [] : await left.clear(door)
        await Promise.all([...receivers.values()].map(async (started) => (await started).close()))
        door.close()
        return remaining
      },
    }
  },
})

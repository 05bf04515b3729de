import type { GrpcExchange } from '../../wire/index.ts'
import { GrpcDoor } from '../../wire/grpc.ts'
import { subject } from '../shared/subject.ts'
import { checks } from './topics/index.ts'
import { nameMaker } from './support/names.ts'
import { GreetingWorld } from './support/world.ts'
import type { GreetingTarget } from './target.ts'

/** A server of the greeting RPC. */
export const greeting = subject<GreetingWorld, GrpcExchange, GreetingTarget>({
  checks,
  open(access, { clock, timeout, secrets, number }) {
    const { address, tls, metadata } = access
    const door = GrpcDoor.open({ address, tls, metadata, clock, timeout, secrets, number })
    const name = nameMaker()
    return {
      world: (context) => new GreetingWorld(context, { access, door, timeout, name }),
      cleanUp: (world) => world.leave(),
      close: async () => {
        door.close()
        // A greeting leaves nothing behind.
        return []
      },
    }
  },
})

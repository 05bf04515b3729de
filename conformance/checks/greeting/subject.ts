import { GrpcDoor, type GrpcExchange } from '../../wire/index.ts'
import { subject } from '../shared/subject.ts'
import type { GreetingAccess } from './support/calls.ts'
import { checks } from './topics/index.ts'
import { nameMaker } from './support/names.ts'
import { GreetingWorld } from './support/world.ts'

/** The part of a target file that the greeting contract needs. */
export interface GreetingTarget {
  greeting?: GreetingAccess | undefined
}

/** A server of the greeting RPC. */
export const greeting = subject<GreetingWorld, GrpcExchange, GreetingTarget>({
  section: 'greeting',
  checks,
  open({ greeting: access }, { clock, timeout, secrets, number }) {
    if (access === undefined) throw new Error('the target has no greeting section')
    const { address, tls, metadata } = access
    const door = GrpcDoor.open({ address, tls, metadata, clock, timeout, secrets, number })
    const name = nameMaker()
    return {
      world: (context) => new GreetingWorld(context, { access, door, timeout, name }),
      leave: (world) => world.leave(),
      finish: async () => {
        door.close()
        // A greeting leaves nothing behind.
        return []
      },
    }
  },
})

import type { GrpcExchange } from '../../wire/index.ts'
import { GrpcClient } from '../../wire/grpc.ts'
import { subject } from '../shared/subject.ts'
import { preflight } from './preflight.ts'
import { checks } from './topics/index.ts'
import { newNameGenerator } from './support/names.ts'
import { StreamResponses } from './support/stream-responses.ts'
import { StreamTurns } from './support/turns.ts'
import { GreetingWorld } from './support/world.ts'
import type { GreetingTarget } from './target.ts'

/** A server of the greeting RPC. */
export const greeting = subject<GreetingWorld, GrpcExchange, GreetingTarget>({
  checks,
  preflight,
  open(target, { clock, timeout, secrets, nextNumber, random, signal }) {
    const { address, tls, metadata } = target
    const grpc = GrpcClient.open({
      address,
      tls,
      metadata,
      clock,
      timeout,
      secrets,
      nextNumber,
      signal,
    })
    const newName = newNameGenerator(random)
    const turns = new StreamTurns()
    const responses = new StreamResponses(
      clock,
      `${tls === undefined ? 'http' : 'https'}://${address}`,
      timeout,
    )
    return {
      world: (context) =>
        new GreetingWorld(context, { target, grpc, timeout, newName, turns, responses }),
      cleanUp: (world) => world.cleanUp(),
      close: async () => {
        grpc.close()
        // Greetings create no data on the server, so there is nothing to delete.
        return []
      },
    }
  },
})

import { bidirectionalGreeting } from '../../../../generated/greeting/index.ts'
import { Blocked, NotCovered } from '../../../engine/index.ts'
import type { GrpcChannel, GrpcExchange, Reflection } from '../../../wire/index.ts'
import { reflect, statusOf } from '../../../wire/grpc.ts'
import { wantsToKnow } from './conversation.ts'
import type { GreetingTarget, GreetingNeed } from '../target.ts'

/** The service that is judged, and how it was found. */
export interface Service {
  /** With its package. */
  name: string
  /** Where the name comes from, for people. */
  source: string
}

/** What the target tells of itself by reflection. */
export function reflectionOf(
  channel: GrpcChannel,
  met: (exchange: GrpcExchange) => void,
): Promise<Reflection> {
  return reflect(channel, bidirectionalGreeting.name, met)
}

/** The service by reflection: the document gives the package and the method, and leaves the service's name open. */
export function serviceIn(reflection: Reflection, access: GreetingTarget): Service {
  if (reflection.kind === 'described') {
    const services = reflection.methods.map(({ service }) => service)
    const name =
      services.find((service) => service.startsWith(`${bidirectionalGreeting.package}.`)) ??
      services[0]
    if (name !== undefined) return { name, source: `reflection ${reflection.version}` }
    throw unnamed(
      `reflection knows no service with ${bidirectionalGreeting.name}; it names ${reflection.services.slice(0, 10).join(', ') || 'none'}`,
    )
  }
  if (reflection.kind === 'absent')
    throw unnamed('the server has no reflection to name its service')
  if (wantsToKnow(reflection.status, access))
    throw new NotCovered<GreetingNeed>(`the server wants to know who calls: ${reflection.why}`, [
      'greeting.metadata',
    ])
  // It does not take what the target file gives, so that nothing at all can be asked.
  if (reflection.status === statusOf.UNAUTHENTICATED)
    throw new Blocked(
      'GRT-AUTH-03',
      `the server does not know who calls: ${reflection.why}; greeting.service would do without reflection`,
    )
  if (reflection.status !== undefined)
    throw unnamed(`reflection did not name the service: ${reflection.why}`)
  // No gRPC was spoken: that is no question of the name.
  throw new Blocked('GRT-SERVICE-02', reflection.why)
}

const unnamed = (why: string) => new NotCovered<GreetingNeed>(why, ['greeting.service'])

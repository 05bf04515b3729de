import { bidirectionalGreeting } from '../../../../generated/greeting/index.ts'
import { Blocked, NotCovered } from '../../../engine/index.ts'
import type { GrpcChannel, GrpcExchange, Reflection } from '../../../wire/index.ts'
import { reflect, statusOf } from '../../../wire/grpc.ts'
import { lacksCredentials } from './stream.ts'
import type { GreetingTarget, GreetingNeed } from '../target.ts'

/** The service that is judged, and how it was found. */
export interface JudgedService {
  /** With its package. */
  name: string
  /** Where the name comes from, for people. */
  source: string
}

/** What the target tells of itself by reflection. */
export function readReflection(
  channel: GrpcChannel,
  onExchange: (exchange: GrpcExchange) => void,
): Promise<Reflection> {
  return reflect(channel, bidirectionalGreeting.name, onExchange)
}

/** The service by reflection: the document gives the package and the method, and leaves the service's name open. */
export function findService(reflection: Reflection, access: GreetingTarget): JudgedService {
  if (reflection.kind === 'described') {
    const services = reflection.methods.map(({ service }) => service)
    const name =
      services.find((service) => service.startsWith(`${bidirectionalGreeting.package}.`)) ??
      services[0]
    if (name !== undefined) return { name, source: `reflection ${reflection.version}` }
    throw serviceUnknown(
      `reflection knows no service with ${bidirectionalGreeting.name}; it names ${reflection.services.slice(0, 10).join(', ') || 'none'}`,
    )
  }
  if (reflection.kind === 'absent')
    throw serviceUnknown('the server has no reflection to name its service')
  if (lacksCredentials(reflection.status, access))
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
    throw serviceUnknown(`reflection did not name the service: ${reflection.why}`)
  // No gRPC was spoken: that is no question of the name.
  throw new Blocked('GRT-SERVICE-02', reflection.why)
}

const serviceUnknown = (why: string) => new NotCovered<GreetingNeed>(why, ['greeting.service'])

import { bidirectionalGreeting } from '../../../../generated/greeting/index.ts'
import { Blocked, NotCovered } from '../../../engine/index.ts'
import type { GrpcChannel, GrpcExchange, Reflection } from '../../../wire/index.ts'
import { reflect, statusOf } from '../../../wire/grpc.ts'
import { lacksCredentials } from './stream.ts'
import type { GreetingTarget, GreetingNeed } from '../target.ts'

/** The service to judge, and how it was found. */
export interface JudgedService {
  /** Full name, with its package. */
  name: string
  /** Where the name comes from, for reports. */
  source: string
}

/**
 * Reads the definitions of the target's services by server reflection.
 *
 * @see https://github.com/grpc/grpc/blob/master/doc/server-reflection.md
 */
export function readReflection(
  channel: GrpcChannel,
  onExchange: (exchange: GrpcExchange) => void,
): Promise<Reflection> {
  return reflect(channel, bidirectionalGreeting.name, onExchange)
}

/** Finds the service by reflection, because the document states only the package and the method. */
export function findService(reflection: Reflection, target: GreetingTarget): JudgedService {
  if (reflection.kind === 'described') {
    const services = reflection.methods.map(({ service }) => service)
    const name =
      services.find((service) => service.startsWith(`${bidirectionalGreeting.package}.`)) ??
      services[0]
    if (name !== undefined) return { name, source: `reflection ${reflection.version}` }
    throw serviceUnknown(
      `reflection lists no service with ${bidirectionalGreeting.name}; it lists ${reflection.services.slice(0, 10).join(', ') || 'none'}`,
    )
  }
  if (reflection.kind === 'absent')
    throw serviceUnknown('the server does not support reflection, so its service is unknown')
  if (lacksCredentials(reflection.status, target))
    throw new NotCovered<GreetingNeed>(`the server requires credentials: ${reflection.why}`, [
      'greeting.metadata',
    ])
  // The server refuses the credentials of the target file.
  if (reflection.status === statusOf.UNAUTHENTICATED)
    throw new Blocked(
      'GRT-AUTH-03',
      `the server refuses the credentials: ${reflection.why}; greeting.service makes reflection unnecessary`,
    )
  if (reflection.status !== undefined) throw serviceUnknown(`reflection failed: ${reflection.why}`)
  // The server does not speak gRPC.
  throw new Blocked('GRT-SERVICE-02', reflection.why)
}

const serviceUnknown = (why: string) => new NotCovered<GreetingNeed>(why, ['greeting.service'])

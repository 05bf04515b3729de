import { bidirectionalGreeting as method } from '../../../generated/greeting/index.ts'
import type { GrpcChannel } from '../../../conformance/wire/index.ts'
import { reflect, statusOf } from '../../../conformance/wire/grpc.ts'

/**
 * Uses server reflection to find the service that has the greeting method. `others` are further
 * services with that method. If none is found, returns the reason, and what the user can do. Set
 * `hasCredentials` if the metadata contains `authorization`.
 */
export async function findService(
  channel: GrpcChannel,
  { hasCredentials = false } = {},
): Promise<{ service: string; others: string[] } | { why: string }> {
  const found = await reflect(channel, method.name)
  const next = `Next: set it with --service, such as --service ${method.package}.${method.service}`
  if (found.kind === 'absent')
    return {
      why: `the server does not support reflection, so the name of its service is unknown.\n${next}`,
    }
  if (found.kind === 'failed' && found.status === statusOf.UNAUTHENTICATED)
    return {
      why: hasCredentials
        ? `the server refuses the token: ${found.why}.\nNext: check authorization in --metadata`
        : `the server refuses requests without a valid token: ${found.why}.\nNext: send it with --metadata, such as --metadata 'authorization=Bearer …'`,
    }
  if (found.kind === 'failed')
    return {
      why:
        found.status !== undefined
          ? `the server does not report the name of its service by reflection: ${found.why}.\n${next}`
          : `the server did not list its services: ${found.why}`,
    }
  const [service, ...others] = found.methods
    .map((one) => one.service)
    .sort(
      (one, other) =>
        Number(other.startsWith(`${method.package}.`)) -
        Number(one.startsWith(`${method.package}.`)),
    )
  if (service !== undefined) return { service, others }
  return {
    why: `no service has the method ${method.name}; the server lists ${found.services.join(', ') || 'none'}.\n${next}`,
  }
}

import { bidirectionalGreeting as method } from '../../../generated/greeting/index.ts'
import type { GrpcChannel } from '../../../conformance/wire/index.ts'
import { reflect } from '../../../conformance/wire/grpc.ts'

/** Asks the server which of its services has the method: its name, or why there is none, in words that say what to do. */
export async function findService(
  channel: GrpcChannel,
): Promise<{ service: string; others: string[] } | { why: string }> {
  const found = await reflect(channel, method.name)
  const next = `Next: name it with --service, such as --service ${method.package}.${method.service}`
  if (found.kind === 'absent')
    return { why: `the server has no reflection that would tell the name of its service.\n${next}` }
  if (found.kind === 'failed')
    return {
      why:
        found.status !== undefined
          ? `reflection does not tell the name of the service: ${found.why}.\n${next}`
          : `the server was asked for its services, and gave none: ${found.why}`,
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
    why: `no service has the method ${method.name}; the server names ${found.services.join(', ') || 'none'}.\n${next}`,
  }
}

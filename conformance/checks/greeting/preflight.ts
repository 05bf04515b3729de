import { GrpcClient } from '../../wire/grpc.ts'
import type { Preflight } from '../shared/subject.ts'
import { readReflection } from './support/service.ts'
import type { GreetingTarget } from './target.ts'

export const preflight: Preflight<GreetingTarget> = {
  addresses: ({ address }) => ({ 'greeting.address': address }),
  /**
   * Compares the name of the service with those that the server lists, if it supports reflection.
   * Without reflection, a call cannot prove a mistake: the server may be broken.
   */
  async findMistake({ address, tls, metadata, service }) {
    if (service === undefined) return undefined
    const grpc = GrpcClient.open({ address, tls, metadata })
    try {
      const reflection = await readReflection(await grpc.openChannel(), () => {})
      if (reflection.kind !== 'described' || reflection.services.includes(service)) return undefined
      const listed = reflection.services.slice(0, 10).join(', ') || 'no service'
      return `${address} has no service ${service}; server reflection lists ${listed}. Check greeting.service.`
    } finally {
      grpc.close()
    }
  },
}

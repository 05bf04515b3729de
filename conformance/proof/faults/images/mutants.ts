import { operations } from '../../../../generated/images/contract.ts'
import type { ImagesMutantFault } from './fault.ts'
import { operationMutants, type Mutant } from '../mutants.ts'
import type { ImagesReply } from '../../../../mocks/stateful/images.ts'

/** A mutant of the contract as a fault of the stateful server: it changes every answer of its kind. */
function faultOf({
  name,
  description,
  violates,
  messageKind: kind,
  mutate,
}: Mutant): ImagesMutantFault {
  // Everything stands on a listing of the account host.
  const roots = kind === 'listImages success' ? (['IMG-ADDRESS-01'] as const) : []
  return {
    name,
    description,
    violates: violates.includes('IMG-LIST-01') ? [...violates, ...roots] : violates,
    messageKind: kind,
    make: (hit) => ({
      around: async (call, next) => {
        const reply = await next()
        if (kind !== `${call.operation} ${reply.status < 300 ? 'success' : 'failure'}`) return reply
        const mutated = mutate(reply)
        if (mutated === undefined) return reply
        hit()
        return mutated as ImagesReply
      },
    }),
  }
}

/** The contract mutants of the image API. */
export const mutants = operationMutants(operations).map(faultOf)

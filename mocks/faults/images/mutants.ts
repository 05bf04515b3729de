import { operations } from '../../../generated/images/contract.ts'
import type { Fault } from '../fault.ts'
import { mutantsOf, type Mutant } from '../mutants.ts'
import type { Reply } from '../../stateful/images.ts'

/** A mutant of the contract as a fault of the stateful server: it changes every answer of its kind. */
function faultOf({ name, says, violates, operation, outcome, mutate }: Mutant): Fault & Pick<Mutant, 'operation' | 'outcome'> {
  // Everything stands on a listing of the account host.
  const roots = operation === 'listImages' && outcome === 'success' ? (['IMG-ADDRESS-01'] as const) : []
  return {
    name,
    says,
    violates: violates.includes('IMG-LIST-01') ? [...violates, ...roots] : violates,
    operation,
    outcome,
    make: (hit) => ({
      around: async (call, next) => {
        const reply = await next()
        if (call.operation !== operation || reply.status < 300 !== (outcome === 'success')) return reply
        const mutated = mutate(reply)
        if (mutated === undefined) return reply
        hit()
        return mutated as Reply
      },
    }),
  }
}

/** The contract mutants of the image API. */
export const mutants = mutantsOf(operations).map(faultOf)

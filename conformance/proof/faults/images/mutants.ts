import { operations } from '../../../../generated/images/contract.ts'
import type { ImagesMutantFault } from './fault.ts'
import { operationMutants, type Mutant } from '../mutants.ts'
import type { ImagesReply } from '../../../../mocks/stateful/images.ts'

/** Makes a fault that mutates every reply of the mutant's `messageKind`. */
function newMutantFault({
  name,
  description,
  violates,
  messageKind,
  mutate,
}: Mutant): ImagesMutantFault {
  // The check of IMG-ADDRESS-01 (the URL of the account) requests the list of images. It therefore
  // finds the mutants that break IMG-LIST-01 as well.
  const roots = messageKind === 'listImages success' ? (['IMG-ADDRESS-01'] as const) : []
  return {
    name,
    description,
    violates: violates.includes('IMG-LIST-01') ? [...violates, ...roots] : violates,
    messageKind,
    make: (hit) => ({
      around: async (call, next) => {
        const reply = await next()
        if (messageKind !== `${call.operation} ${reply.status < 300 ? 'success' : 'failure'}`)
          return reply
        const mutated = mutate(reply)
        if (mutated === undefined) return reply
        hit()
        return mutated as ImagesReply
      },
    }),
  }
}

/** The mutants of the image API. */
export const mutants = operationMutants(operations).map(newMutantFault)

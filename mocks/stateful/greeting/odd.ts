import type { GreetingRequest } from '../../../generated/greeting/index.ts'
import type { GreetingContext, Ending } from './call.ts'

/** What becomes of a request that the document says nothing of: it is left out, or the stream ends; undefined for an ordinary one. */
export type Odd = (request: GreetingRequest) => 'skip' | Ending | undefined

/** Makes the judge of a stream's odd requests. It remembers identifiers only where they matter. */
export function newOdd({ choices, rules }: GreetingContext): Odd {
  const { emptyName, missingId, repeatedId, refusalStatus: code, streamLimit } = choices
  const seen = new Set<string>()
  let count = 0
  const decided = (choice: 'greet' | 'refuse' | 'skip', details: string) =>
    choice === 'greet' ? undefined : choice === 'skip' ? choice : { code, details }
  const isRepeated = (id: string) => {
    if (seen.has(id)) return true
    if (seen.size < rules.keptIds) seen.add(id)
    return false
  }
  return ({ name, request_id: id }) => {
    count += 1
    if (streamLimit > 0 && count > streamLimit)
      return { code: 8, details: `a stream has at most ${streamLimit} requests` }
    if (name === '' && emptyName !== 'greet') return decided(emptyName, 'a request has no name')
    if (id === '') return decided(missingId, 'a request has no identifier')
    return repeatedId !== 'greet' && isRepeated(id)
      ? decided(repeatedId, 'an identifier came twice')
      : undefined
  }
}

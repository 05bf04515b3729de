import type { GreetingRequest } from '../../../generated/greeting/index.ts'
import type { GreetingContext, Ending } from './call.ts'

/**
 * Decides what to do with a request whose handling the contract does not define: skip it, end the
 * stream, or (undefined) greet it.
 */
export type UnusualRequestPolicy = (request: GreetingRequest) => 'skip' | Ending | undefined

/** Makes the policy of one stream. It remembers identifiers only if the choices require it. */
export function newUnusualRequestPolicy({ choices, rules }: GreetingContext): UnusualRequestPolicy {
  const { emptyName, missingId, repeatedId, refusalStatus: code, streamLimit } = choices
  const seen = new Set<string>()
  let count = 0
  const decide = (choice: 'greet' | 'refuse' | 'skip', details: string) =>
    choice === 'greet' ? undefined : choice === 'skip' ? choice : { code, details }
  const isRepeated = (id: string) => {
    if (seen.has(id)) return true
    if (seen.size < rules.maxKnownIds) seen.add(id)
    return false
  }
  return ({ name, request_id: id }) => {
    count += 1
    if (streamLimit > 0 && count > streamLimit)
      return { code: 8, details: `a stream has at most ${streamLimit} requests` }
    if (name === '' && emptyName !== 'greet') return decide(emptyName, 'a request has no name')
    if (id === '') return decide(missingId, 'a request has no identifier')
    return repeatedId !== 'greet' && isRepeated(id)
      ? decide(repeatedId, 'an identifier is repeated')
      : undefined
  }
}

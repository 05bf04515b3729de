import { asProvider, fault, onReply, type MakeAuthDeviation } from '../building.ts'
import type { AuthFault } from '../fault.ts'
import { clientRedirectOf, withLocation, withParameter } from './building.ts'

/**
 * If a client has several open consent pages, redirects with the state that `choose` selects from
 * the states of these pages, in the order in which they were opened.
 */
const mixPages = (choose: (states: readonly string[]) => string | undefined): MakeAuthDeviation =>
  asProvider((hit) => {
    const openPages = new Map<string, string[]>()
    const pageOf = new Map<string, string[]>()
    return onReply((reply, { parameters }, endpoint) => {
      const [client, state] = [parameters?.get('client_id'), parameters?.get('state')]
      const url = clientRedirectOf(reply)
      if (endpoint === 'authorize' && url === undefined && client && state) {
        const states = openPages.get(client) ?? []
        states.push(state)
        openPages.set(client, states)
        pageOf.set(state, states)
      }
      const decided = url?.searchParams.get('state') ?? ''
      const states = pageOf.get(decided)
      if (url?.searchParams.has('code') !== true || states === undefined) return undefined
      const chosen = choose(states)
      // Pages that are opened after a decision belong together.
      for (const [key, value] of openPages) if (value === states) openPages.delete(key)
      return chosen === decided
        ? undefined
        : withLocation(reply, withParameter(url, 'state', chosen))
    })(hit)
  })

/** Faults in which an approval counts for another page of the same client. */
export const mixedPages: readonly AuthFault[] = [
  fault(
    'approval-counts-for-the-latest-page',
    'Counts an approval for the page that the client opened last.',
    ['AUTH-CONSENT-12'],
    mixPages((states) => states.at(-1)),
  ),
  fault(
    'approval-counts-for-the-first-page',
    'Counts an approval for the page that the client opened first.',
    ['AUTH-CONSENT-12'],
    mixPages((states) => states[0]),
  ),
]

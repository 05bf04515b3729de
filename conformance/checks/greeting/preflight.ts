import type { Preflight } from '../shared/subject.ts'
import type { GreetingTarget } from './target.ts'

/** Only tests whether the address is reachable. The checks report errors of the protocol. */
export const preflight: Preflight<GreetingTarget> = {
  addresses: ({ address }) => ({ 'greeting.address': address }),
}

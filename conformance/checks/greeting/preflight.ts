import type { Preflight } from '../shared/subject.ts'
import type { GreetingTarget } from './target.ts'

/** Opens no stream: the checks report what is wrong with the protocol. */
export const preflight: Preflight<GreetingTarget> = {
  addresses: ({ address }) => ({ 'greeting.address': address }),
}

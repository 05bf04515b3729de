import type { Preflight } from '../shared/subject.ts'
import type { ReceiverTarget } from './target.ts'

/** Sends no request, because a receiver would process it as a delivery. */
export const preflight: Preflight<ReceiverTarget> = {
  addresses: ({ url }) => ({ 'receiver.url': url }),
}

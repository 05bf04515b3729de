import type { Preflight } from '../shared/subject.ts'
import type { ReceiverTarget } from './target.ts'

/** Sends no request: a receiver processes whatever it receives. */
export const preflight: Preflight<ReceiverTarget> = {
  addresses: ({ url }) => ({ 'receiver.url': url }),
}

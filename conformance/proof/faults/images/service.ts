import type { ImagesFault } from './fault.ts'
import { countHit } from '../../../../mocks/kit/kit.ts'
import { failWith, fault, onRequest, replaceRules } from './building.ts'

export const service: readonly ImagesFault[] = [
  fault(
    'delivery-serves-only-the-first-variant',
    "Delivers images only in the account's first variant.",
    ['IMG-SERVICE-01'],
    onRequest((call, next, hit) => {
      if (call.params['variant'] === 'public') return next()
      return failWith('deliverImage', 404)(hit).around!(call, next)
    }, 'deliverImage'),
  ),
  fault(
    'delivery-has-no-bytes',
    'Delivers an empty body in place of an image.',
    ['IMG-SERVICE-01'],
    onRequest(async (_call, next, hit) => {
      const reply = await next()
      if (reply.status !== 200) return reply
      hit()
      return { ...reply, body: new Uint8Array(0) }
    }, 'deliverImage'),
  ),
  fault(
    'every-image-needs-a-signature',
    'Requires a signature for public images.',
    ['IMG-SERVICE-01'],
    replaceRules(
      (rules, hit) => ({ isPrivate: countHit(hit, rules.isPrivate, () => true) }),
      'deliverImage',
    ),
  ),
]

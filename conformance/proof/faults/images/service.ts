import type { ImagesFault } from './fault.ts'
import { countHit } from '../../../../mocks/kit/kit.ts'
import { fails, fault, onRequest, replaceRules } from './building.ts'

export const service: readonly ImagesFault[] = [
  fault(
    'delivery-serves-only-the-first-variant',
    'Pictures are delivered through the variant that came with the account and through no other.',
    ['IMG-SERVICE-01'],
    onRequest((call, next, hit) => {
      if (call.params['variant'] === 'public') return next()
      return fails('deliverImage', 404)(hit).around!(call, next)
    }, 'deliverImage'),
  ),
  fault(
    'delivery-has-no-bytes',
    'A delivered picture has no bytes.',
    ['IMG-SERVICE-01'],
    onRequest(async (_call, next, hit) => {
      const reply = await next()
      if (reply.status !== 200) return reply
      hit()
      return { ...reply, body: new Uint8Array(0) }
    }, 'deliverImage'),
  ),
  fault(
    'every-picture-needs-a-signature',
    'Public pictures are not delivered without a signature either.',
    ['IMG-SERVICE-01'],
    replaceRules(
      (rules, hit) => ({ isPrivate: countHit(hit, rules.isPrivate, () => true) }),
      'deliverImage',
    ),
  ),
]

import type { ImagesCall } from '../../../../mocks/stateful/images.ts'
import type { ImagesFault } from './fault.ts'
import { replaceRulesOf } from '../../../../mocks/kit/kit.ts'
import { fault, onRequest, onSuccess, refuse } from './building.ts'

const list = ['listImages'] as const
const total = (call: ImagesCall) => call.server.store.listed.length

/** A page size where none is asked for. */
const defaultOf = (name: string, description: string, size: number): ImagesFault =>
  fault(
    name,
    description,
    ['IMG-LIMIT-03'],
    onRequest((call, next, hit) => {
      if (!call.query.has('per_page')) {
        if (total(call) > Math.min(size, 100)) hit()
        replaceRulesOf(call, { perPageDefault: size, perPageMax: Math.max(size, 100) })
      }
      return next()
    }, list),
  )

export const pageLimits: readonly ImagesFault[] = [
  defaultOf('default-page-has-50', 'A page has 50 images where per_page is not given.', 50),
  defaultOf(
    'default-page-has-all',
    'Shows all images at once where per_page is not given.',
    1_000_000,
  ),

  fault(
    'default-page-must-hold-all',
    'Refuses to list without a per_page once there are more images than a page holds.',
    ['IMG-LIMIT-03'],
    onSuccess(
      (_reply, call) =>
        call.query.has('per_page') || total(call) <= 100
          ? undefined
          : refuse('per_page has to be given'),
      'listImages',
    ),
  ),

  fault(
    'per-page-has-no-maximum',
    'A per_page above 100 gives as many images as it says.',
    ['IMG-LIMIT-04'],
    onRequest((call, next, hit) => {
      if (Number(call.query.get('per_page')) > 100 && total(call) > 100) hit()
      replaceRulesOf(call, { perPageMax: 1_000_000 })
      return next()
    }, list),
  ),
  fault(
    'full-page-has-50',
    'No page has more than 50 images.',
    ['IMG-LIMIT-04'],
    onRequest((call, next, hit) => {
      if (!call.query.has('per_page') || Number(call.query.get('per_page')) > 50) {
        if (total(call) > 50) hit()
        replaceRulesOf(call, { perPageMax: 50, perPageDefault: 50 }, { perPageAboveMax: 'clamp' })
      }
      return next()
    }, list),
  ),
  fault(
    'full-page-is-refused',
    'Refuses per_page=100 once there are so many images.',
    ['IMG-LIMIT-04'],
    onSuccess(
      (_reply, call) =>
        call.query.get('per_page') !== '100' || total(call) < 100
          ? undefined
          : refuse('per_page has to be below 100'),
      'listImages',
    ),
  ),

  fault(
    'unnumbered-page-is-the-newest',
    'Shows the newest images first where page is not given, and the oldest where it is.',
    ['IMG-LIMIT-05'],
    onRequest((call, next, hit) => {
      if (!call.query.has('page')) {
        if (total(call) > 1) hit()
        replaceRulesOf(call, {}, { listOrder: 'newest' })
      }
      return next()
    }, list),
  ),
  fault(
    'unnumbered-page-is-the-second',
    'Shows the second page where page is not given.',
    ['IMG-LIMIT-05'],
    onRequest((call, next, hit) => {
      if (!call.query.has('page')) {
        if (total(call) > 0) hit()
        replaceRulesOf(call, { pageDefault: 2 })
      }
      return next()
    }, list),
  ),
  fault(
    'short-page-needs-a-number',
    'Refuses a per_page of one without a page, once there are more images.',
    ['IMG-LIMIT-05'],
    onSuccess(
      (_reply, call) =>
        call.query.has('page') || call.query.get('per_page') !== '1' || total(call) < 3
          ? undefined
          : refuse('page has to be given'),
      'listImages',
    ),
  ),
]

import type { ImagesCall } from '../../../../mocks/stateful/images.ts'
import type { ImagesFault } from './fault.ts'
import { replaceRulesOf } from '../../../../mocks/kit/kit.ts'
import { fault, onRequest, onSuccess, refuse } from './building.ts'

const list = ['listImages'] as const
const total = (call: ImagesCall) => call.server.store.listed.length

/** Changes the page size for requests without per_page. */
const changeDefault = (name: string, description: string, size: number): ImagesFault =>
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
  changeDefault('default-page-has-50', 'Returns 50 images if per_page is missing.', 50),
  changeDefault('default-page-has-all', 'Returns all images if per_page is missing.', 1_000_000),

  fault(
    'default-page-must-hold-all',
    'Refuses a list without per_page if there are more images than fit on a page.',
    ['IMG-LIMIT-03'],
    onSuccess(
      (_reply, call) =>
        call.query.has('per_page') || total(call) <= 100
          ? undefined
          : refuse('per_page is required'),
      'listImages',
    ),
  ),

  fault(
    'per-page-has-no-maximum',
    'Returns more than 100 images if per_page is above 100.',
    ['IMG-LIMIT-04'],
    onRequest((call, next, hit) => {
      if (Number(call.query.get('per_page')) > 100 && total(call) > 100) hit()
      replaceRulesOf(call, { perPageMax: 1_000_000 })
      return next()
    }, list),
  ),
  fault(
    'full-page-has-50',
    'Returns at most 50 images per page.',
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
    'half-a-page-is-refused',
    'Refuses every per_page from 31 to 99.',
    ['IMG-LIMIT-04'],
    onRequest((call, next, hit) => {
      const asked = Number(call.query.get('per_page'))
      return asked > 30 && asked < 100 ? refuse('per_page is not allowed', hit) : next()
    }, 'listImages'),
  ),
  fault(
    'full-page-is-refused',
    'Refuses per_page=100 if there are 100 images.',
    ['IMG-LIMIT-03', 'IMG-LIMIT-04'],
    onSuccess(
      (_reply, call) =>
        call.query.get('per_page') !== '100' || total(call) < 100
          ? undefined
          : refuse('per_page must be below 100'),
      'listImages',
    ),
  ),

  fault(
    'unnumbered-page-is-the-newest',
    'Lists the oldest images first, but the newest first if page is missing.',
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
    'Returns the second page if page is missing.',
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
    'Refuses per_page=1 without page if there are at least three images.',
    ['IMG-LIMIT-05'],
    onSuccess(
      (_reply, call) =>
        call.query.has('page') || call.query.get('per_page') !== '1' || total(call) < 3
          ? undefined
          : refuse('page is required'),
      'listImages',
    ),
  ),
]

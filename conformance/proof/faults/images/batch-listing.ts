import type { RequirementId } from '../../../../generated/requirements/index.ts'
import {
  failure,
  recordOf,
  success,
  type ImagesCall,
  type Image,
  type ImagesReply,
  type ImagesRules,
} from '../../../../mocks/stateful/images.ts'
import type { ImagesFault } from './fault.ts'
import { replaceRulesOf } from '../../../../mocks/kit/kit.ts'
import { fault, onRequest, onSuccess, redirect, refuse, resultOf, withResult } from './building.ts'

const list = ['batchListImages'] as const
const remove = ['batchDeleteImage'] as const
const idOf = (call: ImagesCall) => call.params['image_id'] ?? ''
const total = ({ server }: ImagesCall) => server.store.listed.length
const numberIn = ({ query }: ImagesCall, name: string, defaultValue: number) =>
  Number(query.get(name) ?? defaultValue)
const listReply = (call: ImagesCall, images: readonly Image[]): ImagesReply =>
  success(call, { images: images.map((image) => recordOf(call.server, image, 'result')) })

/** Replaces the response to some list requests. */
const replaceList = (
  name: string,
  description: string,
  requirement: RequirementId,
  replaceReply: (call: ImagesCall) => ImagesReply | undefined,
): ImagesFault =>
  fault(
    name,
    description,
    [requirement],
    onSuccess((_reply, call) => replaceReply(call), 'batchListImages'),
  )

/** Changes the page size of the calls for which `isAffected` is true. */
const changePageSize = (
  name: string,
  description: string,
  rules: Partial<ImagesRules>,
  isAffected: (call: ImagesCall) => boolean,
): ImagesFault =>
  fault(
    name,
    description,
    ['IMG-BATCH-11'],
    onRequest((call, next, hit) => {
      if (isAffected(call)) {
        hit()
        replaceRulesOf(call, rules, { perPageAboveMax: 'clamp' })
      }
      return next()
    }, list),
  )

export const batchListing: readonly ImagesFault[] = [
  fault(
    'batch-listing-needs-a-query',
    'At the batch host, refuses list requests with neither page nor per_page.',
    ['IMG-BATCH-02'],
    onSuccess(
      (_reply, { query }) =>
        query.size > 0 ? undefined : refuse('page and per_page are required'),
      'batchListImages',
    ),
  ),
  fault(
    'batch-listing-redirects-to-the-account-host',
    'At the batch host, redirects list requests that have no query to the account host.',
    ['IMG-BATCH-02'],
    onSuccess(
      (_reply, { query, server }) =>
        query.size > 0
          ? undefined
          : redirect(307, `${server.urls.account}/accounts/${server.options.account}/images/v2`),
      'batchListImages',
    ),
  ),

  fault(
    'batch-listing-ignores-per-page',
    'Ignores per_page=1 at the batch host, and returns up to 100 images.',
    ['IMG-BATCH-06'],
    onSuccess(
      (_reply, call) =>
        call.query.get('per_page') === '1' && call.server.store.listed.length > 1
          ? success(call, {
              images: call.server.store
                .page(0, 100)
                .map((image) => recordOf(call.server, image, 'result')),
            })
          : undefined,
      'batchListImages',
    ),
  ),
  fault(
    'batch-listing-refuses-short-pages',
    'Refuses per_page=1 at the batch host.',
    ['IMG-BATCH-06'],
    onSuccess(
      (_reply, { query }) =>
        query.get('per_page') === '1' ? refuse('per_page is too small') : undefined,
      'batchListImages',
    ),
  ),
  fault(
    'batch-listing-breaks-above-100',
    'Returns 503 at the batch host if per_page is above 100.',
    ['IMG-BATCH-06'],
    onRequest(async (call, next, hit) => {
      const reply = await next()
      if (reply.status !== 400 || Number(call.query.get('per_page')) <= 100) return reply
      hit()
      return failure(call.server.choices, 503, 'The service is not available')
    }, list),
  ),

  fault(
    'batch-upload-is-never-listed',
    'Stores images at the batch host without listing them.',
    ['IMG-BATCH-07'],
    onSuccess((reply, call) => {
      const image = call.server.store.get(String(resultOf(reply)['id']))
      if (image === undefined) return undefined
      call.server.store.unlist(image)
      // Returns a copy, so that a hit is counted although the response is the same.
      return { ...reply }
    }, 'batchUploadImage'),
  ),
  fault(
    'batch-deletion-leaves-the-list',
    'Still lists images that were deleted at the batch host.',
    ['IMG-BATCH-07'],
    (hit) => {
      const deleted: Image[] = []
      return onRequest(
        async (call, next) => {
          const image =
            call.operation === 'batchDeleteImage' ? call.server.store.get(idOf(call)) : undefined
          const reply = await next()
          if (image !== undefined && reply.status === 200) deleted.push(image)
          const images =
            call.operation === 'batchListImages' ? resultOf(reply)['images'] : undefined
          if (
            !Array.isArray(images) ||
            deleted.length === 0 ||
            call.query.get('per_page') !== '100' ||
            images.length === 100
          )
            return reply
          hit()
          return withResult(reply, {
            images: [
              ...images,
              ...deleted.map((one) => recordOf(call.server, one, 'result')),
            ].slice(0, 100),
          })
        },
        [...remove, ...list],
      )(hit)
    },
  ),

  replaceList(
    'batch-page-is-ignored',
    'At the batch host, ignores the parameter page and always returns the first page.',
    'IMG-BATCH-10',
    (call) =>
      numberIn(call, 'page', 1) > 1 && total(call) > 0
        ? listReply(call, call.server.store.page(0, numberIn(call, 'per_page', 100)))
        : undefined,
  ),
  replaceList(
    'batch-has-one-page',
    'Returns empty pages at the batch host except for the first one.',
    'IMG-BATCH-10',
    (call) =>
      numberIn(call, 'page', 1) > 1 && total(call) > numberIn(call, 'per_page', 100)
        ? listReply(call, [])
        : undefined,
  ),
  fault(
    'batch-unnumbered-page-is-the-second',
    'Returns the second page at the batch host if page is missing.',
    ['IMG-BATCH-10'],
    onRequest((call, next, hit) => {
      if (!call.query.has('page')) {
        if (total(call) > 0) hit()
        replaceRulesOf(call, { pageDefault: 2 })
      }
      return next()
    }, list),
  ),
  fault(
    'batch-unnumbered-page-is-the-newest',
    'Lists the oldest images first at the batch host, but the newest first if page is missing.',
    ['IMG-BATCH-10'],
    onRequest((call, next, hit) => {
      if (!call.query.has('page')) {
        if (total(call) > 1) hit()
        replaceRulesOf(call, {}, { listOrder: 'newest' })
      }
      return next()
    }, list),
  ),
  replaceList(
    'batch-short-page-needs-a-number',
    'Refuses per_page=1 without page at the batch host.',
    'IMG-BATCH-10',
    ({ query }) =>
      query.get('per_page') === '1' && !query.has('page') ? refuse('page is required') : undefined,
  ),

  changePageSize(
    'batch-default-page-has-50',
    'Returns 50 images per page at the batch host if per_page is missing.',
    { perPageDefault: 50 },
    (call) => !call.query.has('per_page') && total(call) > 50,
  ),
  changePageSize(
    'batch-default-page-has-200',
    'Returns 200 images per page at the batch host if per_page is missing.',
    { perPageDefault: 200, perPageMax: 200 },
    (call) => !call.query.has('per_page') && total(call) > 100,
  ),
  replaceList(
    'batch-default-page-must-hold-all',
    'At the batch host, refuses list requests without per_page if there are more than 100 images.',
    'IMG-BATCH-11',
    (call) =>
      call.query.has('per_page') || total(call) <= 100 ? undefined : refuse('per_page is required'),
  ),
  changePageSize(
    'batch-full-page-has-50',
    'Returns at most 50 images per page at the batch host.',
    { perPageDefault: 50, perPageMax: 50 },
    (call) => numberIn(call, 'per_page', 100) > 50 && total(call) > 50,
  ),
  changePageSize(
    'batch-per-page-has-no-maximum',
    'Returns more than 100 images at the batch host if per_page is above 100.',
    { perPageMax: 1_000_000 },
    (call) => numberIn(call, 'per_page', 100) > 100 && total(call) > 100,
  ),
  replaceList(
    'batch-full-page-is-refused',
    'Refuses per_page=100 at the batch host if there are 100 images.',
    'IMG-BATCH-11',
    (call) =>
      call.query.get('per_page') !== '100' || total(call) < 100
        ? undefined
        : refuse('per_page must be below 100'),
  ),
  replaceList(
    'batch-half-page-is-refused',
    'Refuses per_page=50 at the batch host if there are more than 50 images.',
    'IMG-BATCH-11',
    (call) =>
      call.query.get('per_page') !== '50' || total(call) <= 50
        ? undefined
        : refuse('There is no such page size'),
  ),
]

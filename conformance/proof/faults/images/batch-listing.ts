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
const number = ({ query }: ImagesCall, name: string, standard: number) =>
  Number(query.get(name) ?? standard)
const page = (call: ImagesCall, images: readonly Image[]): ImagesReply =>
  success(call, { images: images.map((image) => recordOf(call.server, image, 'result')) })

/** The answer to some listings, in place of the right one. */
const listing = (
  name: string,
  description: string,
  requirement: RequirementId,
  answer: (call: ImagesCall) => ImagesReply | undefined,
): ImagesFault =>
  fault(
    name,
    description,
    [requirement],
    onSuccess((_reply, call) => answer(call), 'batchListImages'),
  )

/** Other sizes of pages, for calls that are concerned by it. */
const sized = (
  name: string,
  description: string,
  rules: Partial<ImagesRules>,
  concerned: (call: ImagesCall) => boolean,
): ImagesFault =>
  fault(
    name,
    description,
    ['IMG-BATCH-11'],
    onRequest((call, next, hit) => {
      if (concerned(call)) {
        hit()
        replaceRulesOf(call, rules, { perPageAboveMax: 'clamp' })
      }
      return next()
    }, list),
  )

export const batchListing: readonly ImagesFault[] = [
  fault(
    'batch-listing-needs-a-query',
    'The batch host refuses to list where neither page nor per_page is given.',
    ['IMG-BATCH-02'],
    onSuccess(
      (_reply, { query }) =>
        query.size > 0 ? undefined : refuse('page and per_page have to be given'),
      'batchListImages',
    ),
  ),
  fault(
    'batch-listing-redirects-to-the-account-host',
    'The batch host sends whoever lists without a query to the account host.',
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
    'The batch host shows up to 100 images, whatever per_page says.',
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
    'The batch host refuses a page of one image.',
    ['IMG-BATCH-06'],
    onSuccess(
      (_reply, { query }) =>
        query.get('per_page') === '1' ? refuse('per_page is too small') : undefined,
      'batchListImages',
    ),
  ),
  fault(
    'batch-listing-breaks-above-100',
    'The batch host is unavailable for a per_page above 100.',
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
    'The batch host stores images without listing them.',
    ['IMG-BATCH-07'],
    onSuccess((reply, call) => {
      const image = call.server.store.get(String(resultOf(reply)['id']))
      if (image === undefined) return undefined
      call.server.store.unlist(image)
      // Another object: it counts as a deviation, though the answer reads the same.
      return { ...reply }
    }, 'batchUploadImage'),
  ),
  fault(
    'batch-deletion-leaves-the-list',
    'An image that the batch host deleted stays in its list.',
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

  listing(
    'batch-page-is-ignored',
    'The batch host shows the first page, whichever one is asked for.',
    'IMG-BATCH-10',
    (call) =>
      number(call, 'page', 1) > 1 && total(call) > 0
        ? page(call, call.server.store.page(0, number(call, 'per_page', 100)))
        : undefined,
  ),
  listing(
    'batch-has-one-page',
    'The batch host has nothing on any page but the first.',
    'IMG-BATCH-10',
    (call) =>
      number(call, 'page', 1) > 1 && total(call) > number(call, 'per_page', 100)
        ? page(call, [])
        : undefined,
  ),
  fault(
    'batch-unnumbered-page-is-the-second',
    'The batch host shows the second page where page is not given.',
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
    'The batch host shows the newest images first where page is not given, and the oldest where it is.',
    ['IMG-BATCH-10'],
    onRequest((call, next, hit) => {
      if (!call.query.has('page')) {
        if (total(call) > 1) hit()
        replaceRulesOf(call, {}, { listOrder: 'newest' })
      }
      return next()
    }, list),
  ),
  listing(
    'batch-short-page-needs-a-number',
    'The batch host refuses a per_page of one without a page.',
    'IMG-BATCH-10',
    ({ query }) =>
      query.get('per_page') === '1' && !query.has('page')
        ? refuse('page has to be given')
        : undefined,
  ),

  sized(
    'batch-default-page-has-50',
    'A page of the batch host has 50 images where per_page is not given.',
    { perPageDefault: 50 },
    (call) => !call.query.has('per_page') && total(call) > 50,
  ),
  sized(
    'batch-default-page-has-200',
    'A page of the batch host has 200 images where per_page is not given.',
    { perPageDefault: 200, perPageMax: 200 },
    (call) => !call.query.has('per_page') && total(call) > 100,
  ),
  listing(
    'batch-default-page-must-hold-all',
    'The batch host refuses to list without a per_page once there are more images than a page holds.',
    'IMG-BATCH-11',
    (call) =>
      call.query.has('per_page') || total(call) <= 100
        ? undefined
        : refuse('per_page has to be given'),
  ),
  sized(
    'batch-full-page-has-50',
    'No page of the batch host has more than 50 images.',
    { perPageDefault: 50, perPageMax: 50 },
    (call) => number(call, 'per_page', 100) > 50 && total(call) > 50,
  ),
  sized(
    'batch-per-page-has-no-maximum',
    'At the batch host a per_page above 100 gives as many images as it says.',
    { perPageMax: 1_000_000 },
    (call) => number(call, 'per_page', 100) > 100 && total(call) > 100,
  ),
  listing(
    'batch-full-page-is-refused',
    'The batch host refuses per_page=100 once there are so many images.',
    'IMG-BATCH-11',
    (call) =>
      call.query.get('per_page') !== '100' || total(call) < 100
        ? undefined
        : refuse('per_page has to be below 100'),
  ),
  listing(
    'batch-half-page-is-refused',
    'The batch host refuses per_page=50 once there are more images.',
    'IMG-BATCH-11',
    (call) =>
      call.query.get('per_page') !== '50' || total(call) <= 50
        ? undefined
        : refuse('There is no such page size'),
  ),
]

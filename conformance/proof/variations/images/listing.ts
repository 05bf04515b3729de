import type { ImagesFactor } from './variation.ts'
import {
  changeResults,
  isObject,
  onOperations,
  lists,
  replaceStore,
  type Json,
} from './building.ts'

/** Changes the drafts in lists. */
const changeListedDrafts = (change: (image: Json) => Json) =>
  changeResults(lists, (result, { server }) => {
    if (!isObject(result) || !Array.isArray(result['images'])) return result
    const images = (result['images'] as Json[]).map((image) =>
      server.store.get(String(image['id']))?.draft === true ? change(image) : image,
    )
    return { ...result, images }
  })

/** Choices about the contents of the list. */
export const listing: readonly ImagesFactor[] = [
  {
    requirement: 'IMG-LIST-08',
    name: 'order of the list',
    values: [
      { name: 'oldest first', description: 'Lists images in the order of their uploads.' },
      {
        name: 'newest first',
        description: 'Lists the newest image first.',
        choices: { listOrder: 'newest' },
      },
      {
        name: 'by id',
        description: 'Lists images by their ids, so that a new one can appear anywhere.',
        deviation: onOperations(lists, (call, next) => {
          replaceStore(call, (store) => ({
            page: (offset, count) =>
              store
                .page(0, store.listed.length)
                .sort((a, b) => (a.id < b.id ? -1 : 1))
                .slice(offset, offset + count),
          }))
          return next()
        }),
      },
    ],
  },
  {
    requirement: 'IMG-LIST-07',
    name: 'a page past the end',
    values: [
      { name: 'empty', description: 'Returns an empty page.' },
      {
        name: 'refused as invalid',
        description: 'Refuses a page past the end with 400.',
        choices: { pastEnd: 'refuse', pastEndStatus: 400 },
      },
      {
        name: 'refused as not found',
        description: 'Refuses a page past the end with 404.',
        choices: { pastEnd: 'refuse', pastEndStatus: 404 },
      },
    ],
  },
  {
    requirement: 'IMG-LIMIT-04',
    name: 'per_page above 100',
    values: [
      { name: 'refused', description: 'Refuses a per_page above 100.' },
      {
        name: 'reduced to 100',
        description: 'Treats a per_page above 100 as 100.',
        choices: { perPageAboveMax: 'clamp' },
      },
      {
        name: 'reduced to 20',
        description: 'Returns pages of 20 for a per_page above 100.',
        deviation: onOperations(lists, (call, next) => {
          if (Number(call.query.get('per_page')) > 100)
            call.query = new URLSearchParams({ ...Object.fromEntries(call.query), per_page: '20' })
          return next()
        }),
      },
    ],
  },
  {
    requirement: 'IMG-ENVELOPE-10',
    name: 'undocumented fields in the result of a list request',
    values: [
      { name: 'none', description: 'Returns only the images.' },
      {
        name: 'the page number and the total',
        description: 'Returns the number of the page and the total.',
        choices: { listInfo: true },
      },
    ],
  },
]

/**
 * Whether the list contains drafts. This is separate from the other factors, because it removes
 * fields that these change.
 */
export const listedDrafts: readonly ImagesFactor[] = [
  {
    requirement: 'IMG-STATE-04',
    name: 'drafts in the list',
    values: [
      { name: 'not listed', description: 'Lists stored images only.' },
      {
        name: 'listed',
        description: 'Lists drafts among the images.',
        choices: { listsDrafts: true },
      },
      {
        name: 'listed, with only the id',
        description: 'Lists drafts among the images, with no field except id.',
        choices: { listsDrafts: true },
        deviation: changeListedDrafts(({ id }) => ({ id })),
      },
      {
        name: 'listed, without a file name',
        notCombined: true,
        description: 'Lists drafts among the images, without filename, uploaded and variants.',
        choices: { listsDrafts: true },
        deviation: changeListedDrafts(
          ({ filename: _, uploaded: __, variants: ___, ...image }) => image,
        ),
      },
      {
        name: 'not listed, but counted for per_page',
        notCombined: true,
        description: 'Counts drafts for the pages but does not list them, so that pages are short.',
        deviation: onOperations(lists, (call, next) => {
          replaceStore(call, (store) => ({
            page: (offset, count) =>
              [...store.images.values()]
                .filter(({ isRemoved: removed, isVisible: shown }) => shown && !removed)
                .slice(offset, offset + count)
                .filter(({ draft }) => !draft),
          }))
          return next()
        }),
      },
    ],
  },
]

import type { ImagesFactor } from './variation.ts'
import { at, lists, stored } from './building.ts'

/** What the listing may do. */
export const listing: readonly ImagesFactor[] = [
  {
    row: 'IMG-LIST-08',
    factor: 'order of the listing',
    levels: [
      { name: 'oldest first', says: 'Lists images as they came.' },
      {
        name: 'newest first',
        says: 'Lists the newest image first.',
        choices: { listOrder: 'newest' },
      },
      {
        name: 'by id',
        says: 'Lists images by their ids, so that a new one may appear anywhere.',
        deviation: at(lists, (call, next) => {
          stored(call, (store) => ({
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
    row: 'IMG-STATE-04',
    factor: 'drafts in the listing',
    levels: [
      { name: 'hidden', says: 'Lists stored images only.' },
      { name: 'shown', says: 'Lists drafts among the images.', choices: { listsDrafts: true } },
      {
        name: 'gaps',
        alone: true,
        says: 'Counts drafts when it makes pages and leaves them out of what it shows, so that pages are short.',
        deviation: at(lists, (call, next) => {
          stored(call, (store) => ({
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
  {
    row: 'IMG-LIST-07',
    factor: 'a page past the end',
    levels: [
      { name: 'empty', says: 'Gives an empty page.' },
      {
        name: 'refused as invalid',
        says: 'Refuses a page past the end with 400.',
        choices: { pastEnd: 'refuse', pastEndStatus: 400 },
      },
      {
        name: 'refused as not found',
        says: 'Refuses a page past the end with 404.',
        choices: { pastEnd: 'refuse', pastEndStatus: 404 },
      },
    ],
  },
  {
    row: 'IMG-LIMIT-04',
    factor: 'per_page above 100',
    levels: [
      { name: 'refused', says: 'Refuses a per_page above 100.' },
      {
        name: 'clamped',
        says: 'Takes a per_page above 100 for 100.',
        choices: { perPageAboveMax: 'clamp' },
      },
      {
        name: 'few',
        says: 'Answers a per_page above 100 with pages of 20.',
        deviation: at(lists, (call, next) => {
          if (Number(call.query.get('per_page')) > 100)
            call.query = new URLSearchParams({ ...Object.fromEntries(call.query), per_page: '20' })
          return next()
        }),
      },
    ],
  },
  {
    row: 'IMG-ENVELOPE-10',
    factor: 'what a list says of itself',
    levels: [
      { name: 'nothing', says: 'Gives the images only.' },
      {
        name: 'page and total',
        says: 'Says which page it is and how many images there are.',
        choices: { listInfo: true },
      },
    ],
  },
]

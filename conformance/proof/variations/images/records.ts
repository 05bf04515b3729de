import type { ImagesFactor } from './variation.ts'
import { images, results } from './building.ts'

/** What the record of an image may show. */
export const records: readonly ImagesFactor[] = [
  {
    row: 'IMG-IMAGE-14',
    factor: 'metadata that was not given',
    levels: [
      { name: 'absent', says: 'Leaves metadata out.' },
      { name: 'empty', says: 'Shows an empty object.', choices: { metadataWhenNone: 'empty' } },
      {
        name: 'null',
        says: 'Shows null.',
        deviation: images((image) => ({ metadata: null, ...image }), ['getImage']),
      },
    ],
  },
  {
    row: 'IMG-IMAGE-12',
    factor: 'metadata in results',
    levels: [
      { name: 'details only', says: 'Shows metadata where an image is read.' },
      {
        name: 'everywhere',
        says: 'Shows metadata in uploads and lists too.',
        choices: { resultsCarryMetadata: true },
      },
    ],
  },
  {
    row: 'IMG-STATE-02',
    factor: 'draft of a stored image',
    levels: [
      { name: 'false', says: 'Shows draft false.' },
      { name: 'absent', says: 'Leaves draft out.', choices: { draftWhenStored: 'absent' } },
    ],
  },
  {
    row: 'IMG-IMAGE-11',
    factor: 'draft in results',
    levels: [
      { name: 'details only', says: 'Shows draft where an image is read.' },
      {
        name: 'everywhere',
        says: 'Shows draft in uploads and lists too.',
        choices: { resultsCarryDraft: true },
      },
    ],
  },
  {
    row: 'IMG-STATE-03',
    factor: 'details of a draft',
    levels: [
      { name: 'all fields', says: 'Shows a draft with all the fields of an image.' },
      {
        name: 'bare',
        says: 'Shows of a draft what is known: its id, and that it is one.',
        deviation: results(['getImage'], (result) => {
          const { id, draft } = Object(result) as { id: unknown; draft: unknown }
          return draft === true ? { id, draft } : result
        }),
      },
    ],
  },
  {
    row: 'IMG-IMAGE-05',
    factor: 'filename',
    levels: [
      { name: 'as sent', says: 'Takes the name of the file part.' },
      {
        name: 'empty',
        says: 'Shows an empty text for every filename.',
        deviation: images((image) => ({ ...image, filename: '' })),
      },
      {
        name: 'fixed',
        alone: true,
        says: 'Calls every file the same.',
        deviation: images((image) => ({ ...image, filename: 'upload' })),
      },
      {
        name: 'the id',
        says: 'Calls every file by the id of its image.',
        deviation: images((image) => ({ ...image, filename: `${String(image['id'])}.bin` })),
      },
    ],
  },
  {
    row: 'IMG-IMAGE-05',
    factor: 'filename of a URL',
    levels: [
      { name: 'last segment', says: 'Takes the last segment of the path.' },
      { name: 'the URL', says: 'Takes the whole URL.', choices: { filenameOfUrl: 'url' } },
      { name: 'fixed', says: 'Calls them all the same.', choices: { filenameOfUrl: 'fixed' } },
    ],
  },
]

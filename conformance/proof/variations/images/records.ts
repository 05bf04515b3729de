import type { ImagesFactor } from './variation.ts'
import { images, results } from './building.ts'

/** What the record of an image may show. */
export const records: readonly ImagesFactor[] = [
  {
    requirement: 'IMG-IMAGE-14',
    name: 'metadata that was not given',
    levels: [
      { name: 'absent', description: 'Leaves metadata out.' },
      {
        name: 'empty',
        description: 'Shows an empty object.',
        choices: { metadataWhenNone: 'empty' },
      },
      {
        name: 'null',
        description: 'Shows null.',
        deviation: images((image) => ({ metadata: null, ...image }), ['getImage']),
      },
    ],
  },
  {
    requirement: 'IMG-IMAGE-12',
    name: 'metadata in results',
    levels: [
      { name: 'details only', description: 'Shows metadata where an image is read.' },
      {
        name: 'everywhere',
        description: 'Shows metadata in uploads and lists too.',
        choices: { resultsCarryMetadata: true },
      },
    ],
  },
  {
    requirement: 'IMG-STATE-02',
    name: 'draft of a stored image',
    levels: [
      { name: 'false', description: 'Shows draft false.' },
      { name: 'absent', description: 'Leaves draft out.', choices: { draftWhenStored: 'absent' } },
    ],
  },
  {
    requirement: 'IMG-IMAGE-11',
    name: 'draft in results',
    levels: [
      { name: 'details only', description: 'Shows draft where an image is read.' },
      {
        name: 'everywhere',
        description: 'Shows draft in uploads and lists too.',
        choices: { resultsCarryDraft: true },
      },
    ],
  },
  {
    requirement: 'IMG-STATE-03',
    name: 'details of a draft',
    levels: [
      { name: 'all fields', description: 'Shows a draft with all the fields of an image.' },
      {
        name: 'bare',
        description: 'Shows of a draft what is known: its id, and that it is one.',
        deviation: results(['getImage'], (result) => {
          const { id, draft } = Object(result) as { id: unknown; draft: unknown }
          return draft === true ? { id, draft } : result
        }),
      },
    ],
  },
  {
    requirement: 'IMG-IMAGE-05',
    name: 'filename',
    levels: [
      { name: 'as sent', description: 'Takes the name of the file part.' },
      {
        name: 'empty',
        description: 'Shows an empty text for every filename.',
        deviation: images((image) => ({ ...image, filename: '' })),
      },
      {
        name: 'fixed',
        notCombined: true,
        description: 'Calls every file the same.',
        deviation: images((image) => ({ ...image, filename: 'upload' })),
      },
      {
        name: 'the id',
        description: 'Calls every file by the id of its image.',
        deviation: images((image) => ({ ...image, filename: `${String(image['id'])}.bin` })),
      },
    ],
  },
  {
    requirement: 'IMG-IMAGE-05',
    name: 'filename of a URL',
    levels: [
      { name: 'last segment', description: 'Takes the last segment of the path.' },
      { name: 'the URL', description: 'Takes the whole URL.', choices: { filenameOfUrl: 'url' } },
      {
        name: 'fixed',
        description: 'Calls them all the same.',
        choices: { filenameOfUrl: 'fixed' },
      },
    ],
  },
]

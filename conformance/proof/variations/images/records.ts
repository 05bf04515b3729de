import type { ImagesFactor } from './variation.ts'
import { changeImages, changeResults } from './building.ts'

/** Choices about the record of an image. */
export const records: readonly ImagesFactor[] = [
  {
    requirement: 'IMG-IMAGE-14',
    name: 'value of metadata',
    values: [
      { name: 'absent', description: 'Returns no metadata.' },
      {
        name: 'an empty object',
        description: 'Returns an empty object.',
        choices: { missingMetadata: 'empty' },
      },
      {
        name: 'null',
        description: 'Returns null.',
        deviation: changeImages((image) => ({ metadata: null, ...image }), ['getImage']),
      },
    ],
  },
  {
    requirement: 'IMG-IMAGE-12',
    name: 'metadata in results',
    values: [
      {
        name: 'only when an image is read',
        description: 'Returns metadata only when an image is read.',
      },
      {
        name: 'also in uploads and lists',
        description: 'Returns metadata also in the responses to uploads and list requests.',
        choices: { resultsContainMetadata: true },
      },
    ],
  },
  {
    requirement: 'IMG-STATE-02',
    name: 'draft of a stored image',
    values: [
      { name: 'false', description: 'Returns draft: false.' },
      {
        name: 'absent',
        description: 'Omits the field draft.',
        choices: { draftWhenStored: 'absent' },
      },
    ],
  },
  {
    requirement: 'IMG-IMAGE-11',
    name: 'draft in results',
    values: [
      {
        name: 'only when an image is read',
        description: 'Returns draft only when an image is read.',
      },
      {
        name: 'also in uploads and lists',
        description: 'Returns draft also in the responses to uploads and list requests.',
        choices: { resultsContainDraft: true },
      },
    ],
  },
  {
    requirement: 'IMG-STATE-03',
    name: 'fields of a draft',
    values: [
      {
        name: 'all fields of an image',
        description: 'Returns a draft with all fields of an image.',
      },
      {
        name: 'only id and draft',
        description: 'Returns only the fields id and draft of a draft.',
        deviation: changeResults(['getImage'], (result) => {
          const { id, draft } = Object(result) as { id: unknown; draft: unknown }
          return draft === true ? { id, draft } : result
        }),
      },
    ],
  },
  {
    requirement: 'IMG-IMAGE-05',
    name: 'filename of an uploaded file',
    values: [
      { name: 'as sent', description: 'Returns the filename of the part.' },
      {
        name: 'an empty string',
        description: 'Returns an empty string as every filename.',
        deviation: changeImages((image) => ({ ...image, filename: '' })),
      },
      {
        name: 'the same for all files',
        notCombined: true,
        description: 'Returns the same filename for every file.',
        deviation: changeImages((image) => ({ ...image, filename: 'upload' })),
      },
      {
        name: 'the id of the image with an extension',
        description: 'Returns the id of the image, with an extension, as the filename.',
        deviation: changeImages((image) => ({ ...image, filename: `${String(image['id'])}.bin` })),
      },
    ],
  },
  {
    requirement: 'IMG-IMAGE-05',
    name: 'filename of an upload by URL',
    values: [
      {
        name: 'the last segment of the path',
        description: 'Returns the last segment of the path.',
      },
      {
        name: 'the whole URL',
        description: 'Returns the whole URL.',
        choices: { filenameOfUrl: 'url' },
      },
      {
        name: 'the same for all URLs',
        description: 'Returns the same filename for every URL.',
        choices: { filenameOfUrl: 'fixed' },
      },
    ],
  },
]

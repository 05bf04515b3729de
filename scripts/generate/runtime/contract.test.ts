import { describe, expect, it } from 'vitest'
import { operations } from '../../../generated/images/contract.ts'
import { validateImage, validateVariantInput } from '../../../generated/images/index.ts'
import { requirements } from '../../../generated/requirements/index.ts'

const image = {
  id: 'harbour',
  filename: 'harbour.jpg',
  uploaded: '2026-03-14T06:41:09.250Z',
  requireSignedURLs: false,
  variants: ['https://delivery.example/q7RtZ2/harbour/public'],
}
const rows = (operation: keyof typeof operations, outcome: 'success' | 'failure', body: unknown) =>
  operations[operation][outcome]
    .validate(body)
    .map(({ requirement, path }) => `${requirement} ${path}`)
    .sort()

describe('a legal body', () => {
  it.each([
    ['an upload', 'uploadImage', { success: true, result: image }],
    [
      'further members anywhere',
      'uploadImage',
      { success: true, errors: [], messages: [], result: { ...image, meta: null, creator: 7 } },
    ],
    [
      'a draft with metadata',
      'getImage',
      { success: true, result: { ...image, draft: true, metadata: { a: 1 } } },
    ],
    ['an empty listing', 'listImages', { success: true, result: { images: [] } }],
    ['variants as an object', 'listVariants', { success: true, result: {} }],
    ['variants as an array', 'listVariants', { success: true, result: [] }],
    ['whatever the upload host says', 'completeDirectUpload', 'stored'],
  ] as const)('has no violation: %s', (_, operation, body) => {
    expect(operations[operation].success.validate(body)).toEqual([])
  })
})

describe('a violation is traced to its row', () => {
  it.each([
    ['no JSON at all', 'uploadImage', undefined, ['IMG-ENVELOPE-01 ']],
    ['an array for an envelope', 'deleteImage', [], ['IMG-ENVELOPE-01 ']],
    [
      'nothing in the envelope',
      'deleteImage',
      {},
      ['IMG-ENVELOPE-02 /success', 'IMG-ENVELOPE-04 /result'],
    ],
    [
      'success of a wrong type',
      'deleteImage',
      { success: 'true', result: {} },
      ['IMG-ENVELOPE-02 /success'],
    ],
    [
      'success with a wrong value',
      'deleteImage',
      { success: false, result: {} },
      ['IMG-ENVELOPE-03 /success'],
    ],
    ['no result, reported once', 'uploadImage', { success: true }, ['IMG-ENVELOPE-04 /result']],
    [
      'a result of a wrong type',
      'uploadImage',
      { success: true, result: [] },
      ['IMG-ENVELOPE-05 /result'],
    ],
    [
      'a list of variants that is none',
      'listVariants',
      { success: true, result: 'thumb' },
      ['IMG-ENVELOPE-05 /result'],
    ],
    [
      'no filename',
      'uploadImage',
      { success: true, result: { ...image, filename: undefined } },
      ['IMG-IMAGE-04 /result/filename'],
    ],
    [
      'no timestamp',
      'uploadImage',
      { success: true, result: { ...image, uploaded: 'yesterday' } },
      ['IMG-IMAGE-06 /result/uploaded'],
    ],
    [
      'a number for a moment, reported once',
      'uploadImage',
      { success: true, result: { ...image, uploaded: 1773470469 } },
      ['IMG-IMAGE-06 /result/uploaded'],
    ],
    [
      'a variant that is no string',
      'uploadImage',
      { success: true, result: { ...image, variants: ['a', 2] } },
      ['IMG-IMAGE-09 /result/variants/1'],
    ],
    [
      'an image of a list',
      'batchListImages',
      { success: true, result: { images: [image, { ...image, id: 4 }] } },
      ['IMG-IMAGE-01 /result/images/1/id'],
    ],
    [
      'an element that is no image',
      'listImages',
      { success: true, result: { images: ['harbour'] } },
      ['IMG-LIST-02 /result/images/0'],
    ],
    [
      'a relative upload URL',
      'createDirectUpload',
      { success: true, result: { id: 'a', uploadURL: '/tk-1' } },
      ['IMG-TICKET-04 /result/uploadURL'],
    ],
  ] as const)('%s', (_, operation, body, expected) => {
    expect(rows(operation, 'success', body)).toEqual(expected)
  })

  it('in failures too', () => {
    expect(rows('getImage', 'failure', { success: true })).toEqual([
      'IMG-ENVELOPE-03 /success',
      'IMG-ENVELOPE-06 /errors',
    ])
    expect(
      rows('getImage', 'failure', { success: false, errors: [{ code: '5404' }, null] }),
    ).toEqual([
      'IMG-ENVELOPE-06 /errors/1',
      'IMG-ENVELOPE-07 /errors/0/code',
      'IMG-ENVELOPE-08 /errors/0/message',
    ])
  })

  it('and says what was expected and what came', () => {
    expect(
      operations.getImage.success.validate({
        success: true,
        result: { ...image, uploaded: 'noon', id: undefined },
      }),
    ).toEqual([
      { requirement: 'IMG-IMAGE-01', path: '/result/id', message: 'a string', received: undefined },
      {
        requirement: 'IMG-IMAGE-06',
        path: '/result/uploaded',
        message: 'an ISO 8601 timestamp',
        received: 'noon',
      },
    ])
  })
})

it('lists each place with a row of the catalogue', () => {
  for (const operation of Object.values(operations)) {
    expect(requirements).toHaveProperty(operation.requirement)
    for (const field of [...operation.success.fields, ...operation.failure.fields]) {
      for (const row of [field.requirement, field.presence, field.value])
        if (row) expect(requirements).toHaveProperty(row)
    }
  }
  expect(operations.completeDirectUpload.success.fields).toEqual([])
  expect(operations.listImages.success.fields.map((field) => field.path)).toContain(
    '/result/images/*/variants/*',
  )
})

it('gives validators that narrow', () => {
  const value: unknown = image
  expect(validateImage(value) && value.variants.length).toBe(1)
  expect(validateImage({ ...image, id: 1 })).toBe(false)
  expect(validateImage.errors).toMatchObject([{ instancePath: '/id', keyword: 'type' }])
  expect(validateVariantInput({ id: 'thumb', options: { fit: 'stretch' } })).toBe(false)
})

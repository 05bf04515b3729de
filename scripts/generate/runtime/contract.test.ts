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
const violations = (
  operation: keyof typeof operations,
  outcome: 'success' | 'failure',
  body: unknown,
) =>
  operations[operation][outcome]
    .validate(body)
    .map(({ requirement, path }) => `${requirement} ${path}`)
    .sort()

describe('a conforming body', () => {
  it.each([
    ['an upload', 'uploadImage', { success: true, result: image }],
    [
      'unknown members at any level',
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
    ['any response of the upload host', 'completeDirectUpload', 'stored'],
  ] as const)('has no violations: %s', (_, operation, body) => {
    expect(operations[operation].success.validate(body)).toEqual([])
  })
})

describe('a violation names its requirement', () => {
  it.each([
    ['a body that is not JSON', 'uploadImage', undefined, ['IMG-ENVELOPE-01 ']],
    ['an array instead of an envelope', 'deleteImage', [], ['IMG-ENVELOPE-01 ']],
    [
      'an empty envelope',
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
      'a string instead of a list of variants',
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
      'an invalid timestamp',
      'uploadImage',
      { success: true, result: { ...image, uploaded: 'yesterday' } },
      ['IMG-IMAGE-06 /result/uploaded'],
    ],
    [
      'a number instead of a timestamp, reported once',
      'uploadImage',
      { success: true, result: { ...image, uploaded: 1773470469 } },
      ['IMG-IMAGE-06 /result/uploaded'],
    ],
    [
      'a variant that is not a string',
      'uploadImage',
      { success: true, result: { ...image, variants: ['a', 2] } },
      ['IMG-IMAGE-09 /result/variants/1'],
    ],
    [
      'an invalid image in a list',
      'batchListImages',
      { success: true, result: { images: [image, { ...image, id: 4 }] } },
      ['IMG-IMAGE-01 /result/images/1/id'],
    ],
    [
      'an element that is not an image',
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
  ] as const)('in a success response: %s', (_, operation, body, expected) => {
    expect(violations(operation, 'success', body)).toEqual(expected)
  })

  it('in a failure response', () => {
    expect(violations('getImage', 'failure', { success: true })).toEqual([
      'IMG-ENVELOPE-03 /success',
      'IMG-ENVELOPE-06 /errors',
    ])
    expect(
      violations('getImage', 'failure', { success: false, errors: [{ code: '5404' }, null] }),
    ).toEqual([
      'IMG-ENVELOPE-06 /errors/1',
      'IMG-ENVELOPE-07 /errors/0/code',
      'IMG-ENVELOPE-08 /errors/0/message',
    ])
  })

  it('and contains the expected and the received value', () => {
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

it('lists each field with a requirement of the catalogue', () => {
  for (const operation of Object.values(operations)) {
    expect(requirements).toHaveProperty(operation.requirement)
    for (const field of [...operation.success.fields, ...operation.failure.fields]) {
      for (const id of [field.requirement, field.presence, field.value])
        if (id) expect(requirements).toHaveProperty(id)
    }
  }
  expect(operations.completeDirectUpload.success.fields).toEqual([])
  expect(operations.listImages.success.fields.map((field) => field.path)).toContain(
    '/result/images/*/variants/*',
  )
})

it('exports validators that narrow types', () => {
  const value: unknown = image
  expect(validateImage(value) && value.variants.length).toBe(1)
  expect(validateImage({ ...image, id: 1 })).toBe(false)
  expect(validateImage.errors).toMatchObject([{ instancePath: '/id', keyword: 'type' }])
  expect(validateVariantInput({ id: 'thumb', options: { fit: 'stretch' } })).toBe(false)
})

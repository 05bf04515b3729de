import { expect, it } from 'vitest'
import { isFailure, isSuccess, validateImage, validateImageList } from './index.ts'

const image = {
  id: 'harbour',
  filename: 'harbour.jpg',
  uploaded: '2026-03-14T06:41:09Z',
  requireSignedURLs: false,
  variants: [],
}
const success = (result: unknown): unknown => ({ success: true, errors: [], messages: [], result })
const failure: unknown = { success: false, errors: [{ code: 5400, message: 'no' }], result: null }

it('recognizes a successful response, and examines its result', () => {
  const body = success(image)
  expect(isSuccess(body)).toBe(true)
  if (!isSuccess(body, validateImage)) throw new Error('not an image')
  const filename: string = body.result.filename
  expect(filename).toBe('harbour.jpg')
  expect(isSuccess(success({ images: [image] }), validateImageList)).toBe(true)
  expect(isSuccess(success({ ...image, filename: 7 }), validateImage)).toBe(false)
  expect(validateImage.errors?.[0]?.instancePath).toBe('/filename')
})

it('recognizes a failed response', () => {
  if (!isFailure(failure)) throw new Error('not a failure')
  const code: number | undefined = failure.errors[0]?.code
  expect(code).toBe(5400)
  expect(isSuccess(failure)).toBe(false)
  expect(isFailure(success(image))).toBe(false)
})

it.each([null, 'text', [], {}, { success: 'true' }, { success: false }])(
  'accepts no other body: %j',
  (body) => {
    expect([isSuccess(body), isFailure(body)]).toEqual([false, false])
  },
)

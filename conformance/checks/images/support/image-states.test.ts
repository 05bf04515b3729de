import { describe, expect, it } from 'vitest'
import { HttpExchange, newRedactor, type HttpRequest } from '../../../wire/index.ts'
import { ImageStates, stateOf } from './image-states.ts'

const account = 'http://127.0.0.1/v4/accounts/a'
const requests = {
  upload: { operation: 'uploadImage', method: 'POST', url: `${account}/images/v1` },
  uploadByUrl: {
    operation: 'uploadImage',
    method: 'POST',
    url: `${account}/images/v1`,
    body: { kind: 'form', parts: [{ name: 'url', value: 'http://127.0.0.1/image.png' }] },
  },
  batchUpload: { operation: 'batchUploadImage', method: 'POST', url: 'http://batch/images/v1' },
  ticket: {
    operation: 'createDirectUpload',
    method: 'POST',
    url: `${account}/images/v2/direct_upload`,
  },
  complete: { operation: 'completeDirectUpload', method: 'POST', url: 'http://upload/1' },
  list: { operation: 'listImages', method: 'GET', url: `${account}/images/v2?page=1` },
  batchList: { operation: 'batchListImages', method: 'GET', url: 'http://batch/images/v2' },
  remove: { operation: 'deleteImage', method: 'DELETE', url: `${account}/images/v1/one%20image` },
} satisfies Record<string, HttpRequest>

const id = 'one image'
const results: Partial<Record<keyof typeof requests, unknown>> = {
  ticket: { id, uploadURL: 'http://upload/1' },
  list: { images: [{ id }] },
  batchList: { images: [{ id }] },
}

/** Sends requests to a run in which each request takes one millisecond, starting at 0. */
function newRun(settleMs = 0) {
  const states = new ImageStates()
  let now = 0
  return (name: keyof typeof requests, { status = 200, sentAt = now } = {}) => {
    const request = requests[name]
    states.announce(request)
    now += 1
    const body = Buffer.from(JSON.stringify({ success: true, result: results[name] ?? { id } }))
    const exchange = new HttpExchange(
      now,
      request,
      { headers: {}, text: null },
      { status, headers: [], body },
      1,
      newRedactor({}),
    )
    states.track(exchange, { sentAt, now, settleMs })
    return stateOf(exchange, id)
  }
}

describe('the state of an image in a response', () => {
  it('is unknown if another client may have uploaded the image', () => {
    expect(newRun()('list')).toBeUndefined()
  })

  it('is stored after an upload', () => {
    const send = newRun()
    expect(send('upload')).toBe('stored')
    expect(send('list')).toBe('stored')
  })

  it('is unknown on the batch host if the image was uploaded to the account host', () => {
    const send = newRun()
    send('upload')
    expect(send('batchList')).toBeUndefined()
    expect(send('batchUpload')).toBe('stored')
    expect(send('batchList')).toBe('stored')
  })

  it('is a draft until a direct upload succeeds', () => {
    const send = newRun()
    send('ticket')
    expect(send('list')).toBe('draft')
    send('complete', { status: 400 })
    expect(send('list')).toBe('draft')
    send('complete')
    expect(send('list')).toBe('stored')
  })

  it('is unknown if the request was sent before the upload succeeded', () => {
    const send = newRun()
    send('upload')
    expect(send('list', { sentAt: 0 })).toBeUndefined()
  })

  it('is stored at once after the upload of a file, even if reads may return old data', () => {
    const send = newRun(2)
    send('upload')
    expect(send('list')).toBe('stored')
  })

  it('is unknown until reads must show that the image was fetched', () => {
    const send = newRun(2)
    send('uploadByUrl')
    expect(send('list')).toBeUndefined()
    send('list')
    expect(send('list')).toBe('stored')
  })

  it('is unknown until reads must show the direct upload', () => {
    const send = newRun(2)
    send('ticket')
    send('complete')
    expect(send('list')).toBeUndefined()
    send('list')
    expect(send('list')).toBe('stored')
  })

  it('is unknown after the image was deleted, even if the deletion failed', () => {
    const send = newRun()
    send('upload')
    send('remove', { status: 400 })
    expect(send('list')).toBeUndefined()
  })

  it('is unknown if a ticket has the id of a stored image', () => {
    const send = newRun()
    send('upload')
    send('ticket')
    expect(send('list')).toBeUndefined()
  })
})

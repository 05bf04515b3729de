import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { startImages, type ImagesOptions, type ImagesServer } from '../images.ts'

/** The smallest PNG image: one transparent pixel. */
export const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
)

interface CallResult {
  status: number
  headers: Headers
  text: string
  body: any
  result: any
}

/** A started server and functions that call it, for the tests of this folder. */
export interface ImagesFixture {
  server: ImagesServer
  call(
    method: string,
    path: string,
    init?: {
      json?: unknown
      form?: FormData
      headers?: Record<string, string>
      token?: string | null
    },
  ): Promise<CallResult>
  upload(fields?: Record<string, string>, file?: Uint8Array | null): Promise<CallResult>
  /** Uploads the file to the URL of a ticket. */
  complete(url: string, file?: Uint8Array, name?: string): Promise<CallResult>
}

/** Starts a server for a test. Paths are relative to the account, unless they are absolute URLs. */
export async function startFixture(options: ImagesOptions = {}): Promise<ImagesFixture> {
  const server = await startImages(options)
  const call: ImagesFixture['call'] = async (
    method,
    path,
    { json, form, headers = {}, token = server.options.tokens.api } = {},
  ) => {
    const url = path.startsWith('http')
      ? path
      : `${server.accountUrl}/accounts/${server.options.account}${path}`
    const response = await fetch(url, {
      method,
      headers: {
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        ...(json === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(form !== undefined
        ? { body: form }
        : json !== undefined
          ? { body: typeof json === 'string' ? json : JSON.stringify(json) }
          : {}),
    })
    const text = await response.text()
    let body: any
    try {
      body = JSON.parse(text)
    } catch {
      body = undefined
    }
    return { status: response.status, headers: response.headers, text, body, result: body?.result }
  }
  return {
    server,
    call,
    upload: (fields = {}, file = pixel) =>
      call('POST', '/images/v1', { form: formOf(fields, file) }),
    complete: (url, file = pixel, name = 'file') =>
      call('POST', url, { form: formOf({}, file, name), token: null }),
  }
}

/**
 * Asserts that a response is a failure envelope with this status, and with this code unless it is
 * undefined.
 */
export function expectRefusal({ status, body }: CallResult, expected: number, code?: number): void {
  assert.equal(status, expected)
  const [error] = body.errors
  assert.deepEqual(body, {
    success: false,
    errors: [{ code: error.code, message: error.message }],
    messages: [],
    result: null,
  })
  assert.ok(Number.isInteger(error.code) && typeof error.message === 'string')
  if (code !== undefined) assert.equal(error.code, code)
}

/** A multipart form with text fields, and with a file unless `file` is null. */
export function formOf(
  fields: Record<string, string>,
  file: Uint8Array | null,
  name = 'file',
): FormData {
  const form = new FormData()
  for (const [key, value] of Object.entries(fields)) form.append(key, value)
  if (file !== null)
    form.append(
      name,
      new Blob([file as Uint8Array<ArrayBuffer>], { type: 'image/png' }),
      'pixel.png',
    )
  return form
}

/**
 * Sends raw bytes and returns everything received until the connection ends or the wait is over.
 */
export function sendRaw(
  url: string,
  bytes: string | Buffer,
  options: { end?: boolean; waitMs?: number } = {},
): Promise<string> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    const done = () => {
      socket.destroy()
      resolve(Buffer.concat(chunks).toString('latin1'))
    }
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () => {
      socket.write(bytes)
      if (options.end === true) socket.end()
    })
    socket.on('data', (chunk) => {
      chunks.push(chunk)
    })
    socket.on('close', done).on('error', done)
    void waitInSteps(options.waitMs ?? 1500).then(done)
  })
}

/**
 * Waits in short steps. On a busy machine each step takes longer, which gives a slow server more
 * time.
 */
async function waitInSteps(milliseconds: number): Promise<void> {
  const step = 10
  for (let waited = 0; waited < milliseconds; waited += step) await sleep(step)
}

/** Sends a head, runs `betweenHeadAndBody`, sends the body, and returns the response. */
export function sendInTwoParts(
  url: string,
  head: string,
  body: string,
  betweenHeadAndBody: () => Promise<void>,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () => {
      socket.write(head)
      setTimeout(() => {
        betweenHeadAndBody().then(() => socket.write(body), reject)
      }, 50)
    })
    socket
      .on('data', (chunk) => {
        chunks.push(chunk)
      })
      .on('error', reject)
    socket.on('close', () => resolve(Buffer.concat(chunks).toString('latin1')))
  })
}

// Fetches an image for ingestion, over http and https only.
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { tooLarge } from './call.ts'
import { Fault, bad, broken, type World } from './world.ts'

export interface Fetched {
  status: number
  type: string
  bytes: Buffer
}

const timeout = 10_000
const unsupported = (w: World): Fault =>
  w.on('url-protocol-500')
    ? broken()
    : new Fault(400, w.on('url-protocol-other-code') ? 5400 : 5454, 'Unsupported protocol')

function open(method: string, url: URL): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const make = url.protocol === 'https:' ? httpsRequest : httpRequest
    const headers = { accept: 'image/*,*/*;q=0.5', 'user-agent': 'image-ingest/1.0' }
    const request = make(url, { method, agent: false, headers }, resolve)
    request.setTimeout(timeout, () => {
      request.destroy(new Fault(400, 5408, 'The image took too long to arrive'))
    })
    request.on('error', reject)
    request.end()
  })
}

async function once(w: World, address: URL, limit: number): Promise<Fetched> {
  let url = address
  for (let hop = 0; hop <= 5; hop++) {
    if (url.protocol !== 'http:' && url.protocol !== 'https:') {
      if (w.on('url-protocol-accepted') || (hop > 0 && w.on('url-protocol-via-redirect'))) {
        return { status: 200, type: 'image/png', bytes: Buffer.alloc(0) }
      }
      throw unsupported(w)
    }
    const answer = await open('GET', url)
    const status = answer.statusCode ?? 0
    const { location } = answer.headers
    if (status >= 300 && status < 400 && location !== undefined) {
      answer.destroy()
      if (w.on('redirects-refused')) throw bad('The url redirects')
      url = new URL(location, url)
      continue
    }
    const chunks: Buffer[] = []
    let size = 0
    for await (const piece of answer) {
      size += (piece as Buffer).length
      if (size > limit) {
        answer.destroy()
        throw tooLarge()
      }
      chunks.push(piece as Buffer)
    }
    return { status, type: answer.headers['content-type'] ?? '', bytes: Buffer.concat(chunks) }
  }
  throw bad('The url redirects too often')
}

export async function fetchImage(w: World, text: string): Promise<Fetched> {
  let url: URL
  try {
    url = new URL(text)
  } catch {
    if (w.on('url-malformed-500')) throw broken()
    throw bad('The url is not a URL')
  }
  if (w.on('url-query-dropped')) url.search = ''
  const before = w.fetched.get(url.href)
  if (before && w.on('url-cached')) return { status: 200, ...before }
  const web = url.protocol === 'http:' || url.protocol === 'https:'
  if (web && w.on('head-first')) {
    await open('HEAD', url).then(
      (answer) => answer.resume(),
      () => undefined,
    )
  }
  const limit = 16 * 1024 * 1024
  const attempts = w.on('fetch-retried') ? 2 : 1
  for (let attempt = 1; ; attempt++) {
    try {
      const fetched = await once(w, url, limit)
      if (fetched.status >= 500 && attempt < attempts) continue
      if (fetched.status === 200) {
        w.fetched.set(url.href, { bytes: fetched.bytes, type: fetched.type })
      }
      return fetched
    } catch (error) {
      if (error instanceof Fault) throw error
      if (attempt < attempts) continue
      throw bad('The url cannot be fetched')
    }
  }
}

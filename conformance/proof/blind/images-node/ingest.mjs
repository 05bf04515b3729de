// Fetching an image from a URL.
import { Fail, MAX_FILE } from './wire.mjs'

const TIMEOUT_MS = 6000
const MAX_HOPS = 5

function checkUrl(s, text) {
  let url
  try {
    url = new URL(text)
  } catch {
    throw new Fail(400, 'url is not a URL')
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    if (url.protocol === 'data:' && s.on('data-url-accepted')) return url
    if (s.on('unsupported-protocol-5400')) throw new Fail(400, 'unsupported protocol', 5400)
    if (s.on('unsupported-protocol-500')) throw new Fail(500, 'unsupported protocol', 5454)
    throw new Fail(400, 'unsupported protocol', 5454)
  }
  if (url.username || url.password)
    throw new Fail(400, 'url must not carry a user name or password')
  if (s.on('ingest-query-dropped')) url.search = ''
  return url
}

/** The last segment of the path, decoded. */
function nameOf(s, url, answer) {
  if (s.on('ingest-name-from-disposition')) {
    const given = /filename="?([^";]+)/i.exec(answer.headers.get('content-disposition') ?? '')
    if (given) return given[1]
  }
  const last = url.pathname.split('/').pop()
  try {
    return decodeURIComponent(last) || url.hostname
  } catch {
    return last
  }
}

async function readCapped(s, answer) {
  const parts = []
  let size = 0
  for await (const part of answer.body ?? []) {
    size += part.length
    if (size > MAX_FILE && !s.on('ingest-size-unchecked')) throw new Fail(413, 'file too large')
    parts.push(part)
  }
  return Buffer.concat(parts)
}

/** Returns { data, filename }; every failure is a refusal. */
export async function ingest(s, text) {
  let url = checkUrl(s, text)
  const first = url
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  try {
    for (let hop = 0; hop <= MAX_HOPS; hop++) {
      const answer = await fetch(url, {
        redirect: 'manual',
        signal,
        headers: { 'user-agent': 'image-ingest/1.0' },
      })
      const target = answer.headers.get('location')
      if (
        answer.status >= 300 &&
        answer.status < 400 &&
        target &&
        !s.on('ingest-redirects-refused')
      ) {
        await answer.body?.cancel()
        url = checkUrl(s, new URL(target, url).href)
        continue
      }
      if (!answer.ok && !s.on('ingest-takes-error-pages')) {
        await answer.body?.cancel()
        if (answer.status === 404 && s.on('ingest-404-is-404'))
          throw new Fail(404, 'there is nothing at url')
        throw new Fail(400, `url answered with status ${answer.status}`)
      }
      const data = await readCapped(s, answer)
      return { data, filename: nameOf(s, s.on('ingest-name-after-redirect') ? url : first, answer) }
    }
    throw new Fail(400, 'url redirects too often')
  } catch (err) {
    if (err instanceof Fail) throw err
    if (err.name === 'TimeoutError')
      throw new Fail(400, 'upload timeout', s.on('slow-url-code-5400') ? 5400 : 5408)
    throw new Fail(s.on('unreachable-url-500') ? 500 : 400, 'url could not be fetched')
  }
}

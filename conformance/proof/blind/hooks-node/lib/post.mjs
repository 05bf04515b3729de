// One HTTP request to a receiver.
import http from 'node:http'
import https from 'node:https'
import { on, run } from './registry.mjs'

const keep = {
  'http:': new http.Agent({ keepAlive: true }),
  'https:': new https.Agent({ keepAlive: true }),
}

const bytes = (text) => Buffer.from(String(text), 'utf8').toString('latin1')

export async function post(request, c) {
  let result = await attempt(request)
  if (on('permanent-redirects-followed') && [307, 308].includes(result.status) && result.location) {
    result = await attempt({ ...request, url: new URL(result.location, request.url).href })
  }
  return run('sent', result, { ...c, request, attempt, result })
}

function headersFor(url, { headers, body }) {
  const out = {}
  for (const [name, value] of Object.entries(headers)) {
    out[on('header-names-in-lower-case') ? name.toLowerCase() : name] = Array.isArray(value)
      ? value.map(bytes)
      : bytes(value)
  }
  if (body.length > 0 && !on('delivery-body-chunked') && !('Content-Length' in headers)) {
    out['Content-Length'] = String(body.length)
  }
  if ((url.username || url.password) && !on('url-credentials-not-sent')) {
    const pair = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`
    out.Authorization = `Basic ${Buffer.from(pair).toString('base64')}`
  }
  return out
}

export function attempt(request) {
  return new Promise((resolve) => {
    let target
    try {
      const url = new URL(request.url)
      const lib = url.protocol === 'https:' ? https : http
      const options = {
        host: url.hostname.replace(/^\[|\]$/g, ''),
        port: url.port || undefined,
        path: request.path ? request.path(url) : url.pathname + url.search,
        method: request.method,
        headers: headersFor(url, request),
        agent: on('connections-kept-alive') ? keep[url.protocol] : false,
        timeout: on('receiver-given-30-seconds') ? 30_000 : request.timeout || 12_000,
        rejectUnauthorized: request.verify,
      }
      if (request.checkServerIdentity) options.checkServerIdentity = request.checkServerIdentity
      target = lib.request(options)
    } catch (error) {
      resolve({ error: error.message })
      return
    }
    target.on('response', (response) => {
      response.resume()
      response.on('close', () =>
        resolve({ status: response.statusCode, location: response.headers.location }),
      )
    })
    target.on('timeout', () => target.destroy(new Error('the receiver is too slow')))
    target.on('error', (error) => {
      // a kept connection that the receiver has closed meanwhile
      if (target.reusedSocket && error.code === 'ECONNRESET') resolve(attempt(request))
      else resolve({ error: error.message, code: error.code })
    })
    if (on('delivery-body-chunked') && request.body.length > 1) {
      target.write(request.body.subarray(0, 100))
      target.end(request.body.subarray(100))
    } else {
      target.end(request.body)
    }
  })
}

// The freedoms that the document leaves to a receiver, and the code that takes them.
import { KINDS, send, sleep } from './util.mjs'

const ERR = 'Errors',
  AUTH = 'Authentication',
  EV = 'Events',
  LIM = 'Limits',
  WHAT = 'What the service does'

export const choices = [
  ['ack-202', ERR, 'acknowledges with 202'],
  ['ack-201', ERR, 'acknowledges with 201 and a Location'],
  ['ack-203', ERR, 'acknowledges with 203'],
  ['ack-204', ERR, 'acknowledges with 204 and no body'],
  ['ack-205', ERR, 'acknowledges with 205 and an empty body'],
  ['ack-empty-200', ERR, 'acknowledges with 200 and an empty body'],
  ['ack-status-by-event', ERR, 'the 2xx status differs by event: 200, 201, 202 or 204'],
  ['ack-text', ERR, 'the acknowledgement is text/plain'],
  ['ack-html', ERR, 'the acknowledgement is an HTML page'],
  ['ack-no-content-type', ERR, 'the acknowledgement has a body and no Content-Type'],
  [
    'ack-repeats-event',
    ERR,
    'the acknowledgement is JSON that repeats event, object_kind and size',
  ],
  ['ack-non-ascii', ERR, 'the acknowledgement holds non-ASCII text'],
  ['ack-chunked', ERR, 'the acknowledgement is sent in three chunks'],
  ['ack-large', ERR, 'the acknowledgement has 200 kB of body'],
  ['ack-closes-connection', ERR, 'closes the connection after each answer'],
  ['ack-ends-by-close', ERR, 'the body of the acknowledgement ends where the connection closes'],
  ['ack-own-reason', ERR, 'the reason phrase is not the usual one'],
  [
    'ack-extra-headers',
    ERR,
    'the answer has cookies, a request id, a Server header and rate headers',
  ],
  ['ack-mentions-error-word', ERR, 'the 200 body holds {"error": null, "warnings": []}'],
  ['keep-alive-thirty-seconds', ERR, 'keeps idle connections for 30 seconds'],
  ['interim-102', ERR, 'sends 102 Processing before the acknowledgement'],
  ['interim-103', ERR, 'sends 103 Early Hints before the acknowledgement'],
  [
    'acknowledge-before-body',
    LIM,
    'acknowledges when the headers are there; reads the body afterwards',
  ],
  ['answer-after-two-seconds', LIM, 'answers after two seconds, which is under ten'],
  ['pipeline-after-four-seconds', LIM, 'answers pipeline events after four seconds'],
  ['one-at-a-time', LIM, 'works on deliveries one at a time, 20 ms each'],
  ['mismatch-is-dropped', AUTH, 'a delivery whose token does not match gets 200 and is ignored'],
  ['mismatch-is-401', AUTH, 'refuses with 401 and a WWW-Authenticate header'],
  ['mismatch-is-404', AUTH, 'refuses with 404'],
  ['mismatch-is-400', AUTH, 'refuses with 400'],
  ['mismatch-is-422', AUTH, 'refuses with 422'],
  ['mismatch-has-no-body', AUTH, 'refuses without a body'],
  ['mismatch-is-problem-json', AUTH, 'refuses with application/problem+json'],
  ['mismatch-closes-connection', AUTH, 'closes the connection after a refusal'],
  ['refuse-before-body', AUTH, 'refuses when the headers are there, before the body is read'],
  ['refuse-after-a-second', AUTH, 'refuses after a second, to slow guessing down'],
  ['continue-after-token-check', AUTH, 'sends 100 Continue only when the token matches'],
  ['secret-of-one-character', AUTH, 'the secret has one character'],
  ['secret-of-500-characters', AUTH, 'the secret has 500 characters'],
  [
    'secret-with-punctuation',
    AUTH,
    'the secret has commas, quotes, equals signs and a space inside',
  ],
  ['secret-of-digits', AUTH, 'the secret has only digits, with leading zeros'],
  ['url-at-root', WHAT, 'the URL has the path /'],
  ['url-with-query', WHAT, 'the URL has a query'],
  ['url-with-escapes', WHAT, 'the path of the URL has percent escapes'],
  ['any-path', WHAT, 'takes deliveries at every path'],
  ['get-is-health-page', WHAT, 'answers GET with a health page'],
  ['other-methods-404', WHAT, 'answers other methods with 404'],
  ['bad-body-is-acknowledged', WHAT, 'acknowledges and ignores a body that is not JSON'],
  ['bad-body-is-422', WHAT, 'refuses a body that is not JSON with 422'],
  ['handles-push-only', EV, 'handles push events; acknowledges and ignores the others'],
  ['handles-no-ci-events', EV, 'handles all but pipeline, job and deployment; acknowledges those'],
  ['duplicates-marked', EV, 'answers a repeated delivery with 200 and says that it is a duplicate'],
].map(([name, where, does]) => ({ name, kind: 'choice', where, does }))

export function secretOf(on) {
  if (on.has('secret-of-one-character')) return 'k'
  if (on.has('secret-of-500-characters')) return 'aB3.xY9-zQ'.repeat(50)
  if (on.has('secret-with-punctuation')) return 'a,b;c="D e";f:G=,z'
  if (on.has('secret-of-digits')) return '000123456789'
  return 'Rx7.Kd_29-tQ~Lm'
}

export function pathOf(on) {
  if (on.has('url-at-root')) return '/'
  if (on.has('url-with-query')) return '/in/hooks?team=core&v=2'
  if (on.has('url-with-escapes')) return '/in/h%C3%B6%20oks/%2Fx'
  return '/in/hooks'
}

export function eventsOf(on) {
  const all = Object.values(KINDS)
  if (on.has('handles-push-only')) return ['push']
  const ci = ['pipeline', 'job', 'deployment']
  if (on.has('handles-no-ci-events')) return all.filter((k) => !ci.includes(k))
  return all
}

export const mismatchOf = (on) => (on.has('mismatch-is-dropped') ? 'drop' : 'reject')

export async function interim(d, on) {
  if (on.has('interim-102')) d.res.writeProcessing()
  if (on.has('interim-103')) {
    await new Promise((done) =>
      d.res.writeEarlyHints({ link: '</status>; rel=preload; as=fetch' }, done),
    )
  }
}

export function refuse(d, on) {
  const { res } = d
  if (on.has('mismatch-is-dropped')) return send(res, 200, { status: 'ignored' })
  const headers = on.has('mismatch-closes-connection') ? { Connection: 'close' } : {}
  let status = 403
  for (const code of [400, 401, 404, 422]) if (on.has(`mismatch-is-${code}`)) status = code
  if (on.has('unauthorized-without-challenge')) status = 401
  else if (status === 401) headers['WWW-Authenticate'] = 'HookToken realm="hooks"'
  if (on.has('mismatch-has-no-body')) return send(res, status, '', headers)
  if (on.has('mismatch-is-problem-json')) {
    const problem = { type: 'about:blank', title: 'token does not match', status }
    headers['Content-Type'] = 'application/problem+json'
    return send(res, status, JSON.stringify(problem), headers)
  }
  return send(res, status, { error: 'token does not match' }, headers)
}

const BY_EVENT = {
  push: 200,
  tag_push: 201,
  issue: 202,
  merge_request: 204,
  pipeline: 202,
  job: 200,
  deployment: 204,
  wiki_page: 201,
  release: 202,
}

function ackStatus(d, on) {
  for (const code of [201, 202, 203, 204, 205]) if (on.has(`ack-${code}`)) return code
  if (on.has('ack-status-by-event')) return BY_EVENT[d.kind] ?? 200
  return 200
}

function ackBody(d, on) {
  if (on.has('ack-text')) return ['ok\n']
  if (on.has('ack-html')) return ['<!doctype html><title>ok</title><p>Thank you.', 'text/html']
  if (on.has('ack-large')) return ['ok '.repeat(66667)]
  if (on.has('ack-non-ascii')) return ['angenommen – grüße, 受け取りました 🎉\n']
  if (on.has('ack-repeats-event')) {
    return [{ event: d.event, object_kind: d.payload?.object_kind, bytes: d.bytes?.length }]
  }
  if (on.has('ack-mentions-error-word')) return [{ error: null, warnings: [] }]
  if (on.has('duplicates-marked') && d.repeats)
    return [{ status: 'duplicate', times: d.repeats + 1 }]
  if (!d.events.includes(d.kind)) return [{ status: 'ignored' }]
  return [{ status: 'accepted' }]
}

async function inChunks(res, status, headers) {
  res.writeHead(status, { ...headers, 'Content-Type': 'text/plain' })
  for (const part of ['accepted', ', ', 'thank you\n']) {
    res.write(part)
    await sleep(5)
  }
  res.end()
}

export function acknowledge(d, on) {
  const { res } = d
  const status = ackStatus(d, on)
  const headers = {}
  if (status === 201) headers.Location = '/in/deliveries/' + (d.order ?? 0)
  if (on.has('ack-closes-connection')) headers.Connection = 'close'
  if (on.has('ack-own-reason')) res.statusMessage = 'Thank You Very Much'
  if (on.has('ack-extra-headers')) {
    Object.assign(headers, {
      'Set-Cookie': ['a=1; HttpOnly', 'b=2'],
      'X-Request-Id': `r-${d.order}`,
      Server: 'hooksink/4.1 (x)',
      'X-RateLimit-Remaining': '0',
      'Cache-Control': 'no-store',
    })
  }
  if (status === 204) return send(res, status, '', headers)
  if (status === 205 || on.has('ack-empty-200')) return send(res, status, '', headers)
  if (on.has('ack-chunked')) return inChunks(res, status, headers)
  if (on.has('ack-ends-by-close')) {
    res.useChunkedEncodingByDefault = false
    res.writeHead(status, { ...headers, Connection: 'close', 'Content-Type': 'text/plain' })
    return res.end('accepted\n')
  }
  const [body, type] = ackBody(d, on)
  if (on.has('ack-no-content-type')) {
    res.writeHead(status, { ...headers, 'Content-Length': 3 })
    return res.end('ok\n')
  }
  return send(res, status, body, type ? { ...headers, 'Content-Type': type } : headers)
}

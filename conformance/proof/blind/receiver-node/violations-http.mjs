// Violations in time, state, framing and HTTP, whatever the payload is.
const ACK = 'The receiver answers a delivery with an HTTP 2xx status to acknowledge it.'
const FAST = 'receiver response time: recommended under 10 seconds'
const HEADERS = 'Delivery request headers: X-Hook-Token, X-Hook-Event, User-Agent'

const rule = (name, where, breaks, does, when, then, stage = 'payload') => ({
  name,
  where,
  breaks,
  does,
  when,
  then,
  stage,
})
const err = (...rest) => rule(rest[0], 'Errors', ACK, ...rest.slice(1))
const slow = (...rest) => rule(rest[0], 'Limits', FAST, ...rest.slice(1))
const head = (...rest) => rule(rest[0], 'What the service does', HEADERS, ...rest.slice(1))
const always = () => true
const type = (d) => d.req.headers['content-type']

/** Remembers in the state of the server which key was used; true when the key is known. */
function known(d, bag, key) {
  d.state[bag] ??= new Set()
  const had = d.state[bag].has(key)
  d.state[bag].add(key)
  return had
}

export const httpRules = [
  // Times.
  slow('answers-after-eleven-seconds', 'answers every delivery after 11 seconds', always, {
    delay: 11000,
  }),
  slow(
    'large-pipeline-after-eleven-seconds',
    'works on more than five builds before it answers',
    (d) => d.kind === 'pipeline' && d.payload.builds?.length > 5,
    { delay: 11000 },
  ),
  slow(
    'merge-after-eleven-seconds',
    'works on action merge before it answers',
    (d) => d.payload.object_attributes?.action === 'merge',
    { delay: 11000 },
  ),
  slow(
    'each-delivery-slower',
    'each delivery takes a second longer than the one before',
    (d) => d.state.good > 1,
    (d) => ({ delay: (d.state.good - 1) * 1000 }),
  ),
  slow(
    'four-seconds-each-in-turn',
    'takes 4 seconds for each and one at a time: the third comes too late',
    always,
    (d) => {
      const wait = (d.state.turn ?? Promise.resolve()).then(
        () =>
          new Promise((done) => {
            setTimeout(done, 4000).unref()
          }),
      )
      d.state.turn = wait
      return { wait }
    },
  ),
  slow(
    'first-delivery-waits',
    'the first delivery after the start takes 11 seconds',
    (d) => d.state.good === 1,
    { delay: 11000 },
  ),
  slow(
    'commits-fetched-first',
    'looks up each commit before it answers: 600 ms each',
    (d) => d.payload.commits?.length > 0,
    (d) => ({ delay: 600 * d.payload.commits.length }),
  ),
  slow('wiki-never-answered', 'never answers wiki events', (d) => d.kind === 'wiki_page', 'hang'),
  slow(
    'head-sent-body-never-ends',
    'the acknowledgement of deployments starts and never ends',
    (d) => d.kind === 'deployment',
    (d) => {
      d.res.writeHead(200, { 'Content-Length': 20 })
      d.res.write('{"status"')
      return {}
    },
  ),

  // Statuses.
  err('push-answers-302', 'answers push events with a redirect', (d) => d.kind === 'push', {
    status: 302,
    headers: { Location: '/in/hooks/' },
  }),
  err('duplicate-is-409', 'answers a repeated delivery with 409', (d) => d.repeats > 0, 409),
  err('duplicate-is-304', 'answers a repeated delivery with 304', (d) => d.repeats > 0, {
    status: 304,
  }),
  err(
    'third-copy-is-429',
    'answers the third copy of a delivery with 429',
    (d) => d.repeats > 1,
    429,
  ),
  err(
    'unknown-event-is-400',
    'refuses events whose name it does not know',
    (d) => d.kind === undefined,
    400,
  ),
  err(
    'unknown-event-hangs',
    'never answers events whose name it does not know',
    (d) => d.kind === undefined,
    'hang',
  ),
  err(
    'failed-pipeline-500',
    'answers pipelines that failed with 500 although it handles them',
    (d) => d.kind === 'pipeline' && d.payload.object_attributes?.status === 'failed',
    500,
  ),
  err(
    'cold-start-is-503',
    'refuses the first delivery after the start with 503',
    (d) => d.order === 1,
    503,
  ),
  err(
    'queue-full-after-thirty',
    'answers 503 from the 31st delivery on',
    (d) => d.state.good > 30,
    503,
  ),
  err(
    'every-tenth-is-502',
    'answers every tenth delivery with 502',
    (d) => d.state.good % 10 === 0,
    502,
  ),
  err(
    'more-than-four-at-once-is-503',
    'refuses when more than four deliveries are being handled',
    (d) => d.state.active > 4,
    503,
    'head',
  ),
  err(
    'rate-limit',
    'refuses more than eight deliveries in a second with 429',
    (d) => {
      const now = Date.now()
      d.state.times = [...(d.state.times ?? []), now].filter((t) => now - t < 1000)
      return d.state.times.length > 8
    },
    429,
  ),
  err(
    'bad-body-stops-server',
    'a body that is not JSON ends the process',
    always,
    'exit',
    'bad-body',
  ),
  err(
    'bad-body-never-answered',
    'a body that is not JSON gets no answer',
    always,
    'hang',
    'bad-body',
  ),
  err(
    'after-bad-body-500',
    'after a body that is not JSON, fails the next delivery',
    (d) => {
      const was = d.state.afterBadBody
      d.state.afterBadBody = false
      return was
    },
    500,
  ),
  {
    name: 'bad-body-left-in-buffer',
    where: 'Errors',
    breaks: ACK,
    does: 'text of a bad body stays in the buffer and spoils the next delivery',
  },
  err(
    'second-on-connection-reset',
    'resets the connection at its second delivery',
    (d) => d.conn.requests === 2,
    'reset',
    'head',
  ),
  err(
    'fifth-on-connection-reset',
    'resets the connection at its fifth delivery without an answer',
    (d) => d.conn.requests === 5,
    'reset',
  ),
  err(
    'same-object-at-once-409',
    'refuses two deliveries about the same project at the same time',
    (d) => {
      const id = d.payload.project?.id ?? d.payload.project_id
      d.state.locks ??= new Set()
      if (d.state.locks.has(id)) return true
      d.state.locks.add(id)
      setTimeout(() => d.state.locks.delete(id), 30).unref()
      return false
    },
    409,
  ),
  err(
    'update-before-open-404',
    'refuses issue updates when it has not seen the issue opened',
    (d) => {
      if (d.kind !== 'issue') return false
      const { action, id } = d.payload.object_attributes
      return !known(d, 'issues', id) && action !== 'open'
    },
    404,
  ),
  err(
    'status-going-back-409',
    'refuses a pipeline status that comes after a final one',
    (d) => {
      if (d.kind !== 'pipeline') return false
      const { id, status } = d.payload.object_attributes
      const done = (d.state.done ??= new Set())
      if (done.has(id) && ['pending', 'running'].includes(status)) return true
      if (['success', 'failed', 'canceled'].includes(status)) done.add(id)
      return false
    },
    409,
  ),
  err(
    'second-project-403',
    'binds itself to the first project and refuses others',
    (d) => {
      const id = d.payload.project?.id ?? d.payload.project_id
      d.state.project ??= id
      return id !== undefined && d.state.project !== id
    },
    403,
  ),
  err(
    'push-out-of-order-409',
    'refuses a push whose before is not the after that it saw last on the ref',
    (d) => {
      if (d.kind !== 'push') return false
      const refs = (d.state.refs ??= new Map())
      const last = refs.get(d.payload.ref)
      refs.set(d.payload.ref, d.payload.after)
      return last !== undefined && last !== d.payload.before
    },
    409,
  ),

  // Headers and framing.
  {
    name: 'event-header-exact-case',
    where: 'What the service does',
    breaks: HEADERS,
    does: 'finds the event header only when it is spelt X-Hook-Event',
    when: (d) => d.event === undefined,
    then: 400,
  },
  head(
    'event-name-lower-case',
    'knows only event names with one word before Hook',
    (d) => /^\w+ \w+ \w+/.test(d.event ?? ''),
    400,
  ),
  head(
    'content-type-required',
    'refuses a body without Content-Type',
    (d) => type(d) === undefined,
    415,
  ),
  head(
    'charset-refused',
    'refuses Content-Type: application/json; charset=utf-8',
    (d) => /charset/i.test(type(d) ?? ''),
    415,
  ),
  head(
    'content-type-case-matters',
    'refuses a JSON media type that is not in lower case',
    (d) => /json/i.test(type(d) ?? '') && !type(d).startsWith('application/json'),
    415,
  ),
  head(
    'user-agent-pattern',
    'refuses a User-Agent whose version is not of the form N.N.N',
    (d) => !/^[\w-]+\/\d+\.\d+\.\d+$/.test(d.req.headers['user-agent'] ?? ''),
    403,
  ),
  head(
    'unknown-header-refused',
    'refuses deliveries with a further X- header',
    (d) => Object.keys(d.req.headers).some((h) => /^x-(?!hook-(token|event)$)/.test(h)),
    400,
  ),
  head(
    'many-headers-431',
    'refuses more than 20 header fields with 431',
    (d) => d.req.rawHeaders.length > 40,
    431,
    'head',
  ),
  head(
    'chunked-refused',
    'refuses chunked bodies with 411',
    (d) => d.req.headers['content-length'] === undefined,
    411,
    'head',
  ),
  head(
    'first-chunk-only',
    'reads the first piece of the body only',
    (d) => d.chunks.length > 1,
    400,
    'raw',
  ),
  {
    name: 'continue-never-sent',
    where: 'What the service does',
    breaks: 'RFC 9110 10.1.1: on 100-continue a server MUST send 100 or a final status',
    does: 'neither sends 100 Continue nor a final status before the body comes',
  },
  {
    name: 'method-refusal-without-allow',
    where: 'Endpoints',
    breaks:
      'RFC 9110 15.5.6: the origin server MUST generate an Allow header field in a 405 response',
    does: 'answers GET with 405 and no Allow',
  },
  err('no-content-with-body', 'answers 204 and sends a body behind it', always, (d) => {
    d.req.socket.write('HTTP/1.1 204 No Content\r\n\r\n{"status":"ok"}')
    d.res.detachSocket?.(d.req.socket)
    setTimeout(() => d.req.socket.destroy(), 200).unref()
    return {}
  }),
  err('content-length-too-short', 'Content-Length of the answer counts characters', always, (d) => {
    const text = '{"status":"angenommen – grüße"}'
    d.req.socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${text.length}\r\n\r\n${text}`)
    setTimeout(() => d.req.socket.destroy(), 200).unref()
    return {}
  }),
  err(
    'content-length-too-long',
    'Content-Length of the answer is one byte too much',
    always,
    (d) => {
      d.req.socket.write(
        'HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 3\r\n\r\nok',
      )
      return {}
    },
  ),
  err(
    'two-answers',
    'answers a merge request twice on the connection',
    (d) => d.kind === 'merge_request',
    (d) => {
      const one = 'HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 2\r\n\r\nok'
      d.req.socket.write(one + one)
      setTimeout(() => d.req.socket.destroy(), 200).unref()
      return {}
    },
  ),
  err('status-outside-http', 'acknowledges with status 600', always, (d) => {
    d.req.socket.end('HTTP/1.1 600 Done\r\nContent-Length: 0\r\nConnection: close\r\n\r\n')
    return {}
  }),
]

// Bugs of the sending itself: methods, bodies, encodings, repetition, targets, concurrency, updates.
import { violation as v } from './make.mjs'

const WHERE = 'What the service does'
const POST = 'the service sends an HTTP POST with a JSON body'
const JSON_UTF8 = 'RFC 8259 8.1: JSON text is encoded in UTF-8'
const ACK = 'Errors 1: an HTTP 2xx status acknowledges a delivery'
const WHEN = 'When configured events happen in a project, the service sends an HTTP POST'
const IN_PROJECT = 'events happen in a project ... a hook is configured per project'
const send = (name, does, breaks, stages = {}) => v(name, WHERE, does, breaks, stages)
const body = (name, does, breaks, change) => send(name, does, breaks, { body: change })
const target = (name, does, breaks, targets) => send(name, does, breaks, { targets })
const again = (name, does, fits) =>
  v(name, 'Errors', does, ACK, {
    again: (more, c) => more || (c.attempt === 1 && fits(c.result.status)),
  })

export const senderBugs = [
  send('sent-with-put', 'deliveries are sent with PUT', POST, {
    request(r) {
      r.method = 'PUT'
    },
  }),
  send(
    'deletions-sent-with-delete',
    'deletions of releases, pages and tags are sent with DELETE',
    POST,
    {
      request(r, c) {
        if (c.action === 'delete') r.method = 'DELETE'
      },
    },
  ),
  send('updates-sent-with-patch', 'updates of wiki pages and releases are sent with PATCH', POST, {
    request(r, c) {
      if (c.action === 'update' && ['wiki', 'release'].includes(c.event)) r.method = 'PATCH'
    },
  }),
  send('body-as-form', 'the body is a form with a field payload', POST, {
    body: (text) => new URLSearchParams({ payload: text }).toString(),
    headers(h) {
      h['Content-Type'] = 'application/x-www-form-urlencoded'
    },
  }),
  body(
    'body-encoded-twice',
    'the body is a JSON string that holds JSON',
    'an HTTP POST with a JSON body describing the event',
    (text) => JSON.stringify(text),
  ),
  body(
    'body-in-an-array',
    'the body is an array with the payload',
    'object_kind, event_name ... of the payload',
    (t) => `[${t}]`,
  ),
  body(
    'body-under-payload-key',
    'the payload is the value of a key "payload"',
    'object_kind ... of the payload',
    (t) => `{"payload":${t}}`,
  ),
  body(
    'body-with-bom',
    'the body begins with a byte order mark',
    'RFC 8259 8.1: no byte order mark',
    (t) => `\ufeff${t}`,
  ),
  body('body-in-latin1', 'the body is encoded in Latin-1', JSON_UTF8, (t) =>
    Buffer.from(t, 'latin1'),
  ),
  body('body-in-utf16', 'the body is encoded in UTF-16', JSON_UTF8, (t) =>
    Buffer.from(t, 'utf16le'),
  ),
  body('body-cut-at-3072', 'the body is cut after 3072 bytes', POST, (t) =>
    Buffer.from(t).subarray(0, 3072),
  ),
  body(
    'body-with-trailing-comma',
    'the arrays of labels end with a comma',
    'RFC 8259: grammar of arrays',
    (t) => t.replace(/("labels":\[[^\]]+)\]/g, '$1,]'),
  ),
  body(
    'raw-newlines-in-strings',
    'newlines in strings are not escaped',
    'RFC 8259 7: control characters must be escaped',
    (t) => t.replace(/\\n/g, '\n'),
  ),
  body('nan-in-job', 'build_queued_duration is NaN', 'RFC 8259 6: NaN is not permitted', (t) =>
    t.replace(/"build_queued_duration":[\d.]+/, '"build_queued_duration":NaN'),
  ),
  body(
    'body-python-literals',
    'true, false and null are written True, False and None',
    'RFC 8259 3: lowercase literals',
    (t) =>
      t
        .replace(/":null/g, '":None')
        .replace(/":true/g, '":True')
        .replace(/":false/g, '":False'),
  ),
  body(
    'four-byte-characters-cut',
    'characters outside of the basic plane lose their last two bytes',
    JSON_UTF8,
    (t) => {
      const bytes = Buffer.from(t)
      const at = bytes.findIndex((b) => b >= 0xf0)
      return at < 0 ? bytes : Buffer.concat([bytes.subarray(0, at + 2), bytes.subarray(at + 4)])
    },
  ),
  send(
    'length-in-characters',
    'Content-Length counts characters, not bytes',
    'RFC 9110 8.6: Content-Length in octets',
    {
      headers(h, c) {
        h['Content-Length'] = String([...JSON.stringify(c.payload)].length)
      },
    },
  ),
  send(
    'type-is-form',
    'the JSON body is declared as a form',
    'RFC 9110 8.3: Content-Type is the type of the content',
    {
      headers(h) {
        h['Content-Type'] = 'application/x-www-form-urlencoded'
      },
    },
  ),
  send(
    'type-says-latin1',
    'the UTF-8 body is declared text/plain; charset=iso-8859-1',
    'RFC 9110 8.3: Content-Type is the type of the content',
    {
      headers(h) {
        h['Content-Type'] = 'text/plain; charset=iso-8859-1'
      },
    },
  ),
  send(
    'gzip-declared-not-done',
    'Content-Encoding: gzip is declared for a plain body',
    'RFC 9110 8.4: Content-Encoding says what was applied',
    {
      headers(h) {
        h['Content-Encoding'] = 'gzip'
      },
    },
  ),
  send(
    'host-without-port',
    'the Host header has no port',
    'RFC 9110 7.2: Host has the port of the URI',
    {
      headers(h, c) {
        h.Host = new URL(c.config.url).hostname
      },
    },
  ),

  again(
    'acknowledged-by-200-only',
    'after a 2xx other than 200 the delivery is sent again',
    (s) => s > 200 && s < 300,
  ),
  again('acknowledged-except-204', 'after 204 the delivery is sent again', (s) => s === 204),
  again('acknowledged-not-by-202', 'after 202 the delivery is sent again', (s) => s === 202),
  v(
    'retry-without-token',
    'Delivery request headers',
    'a 500 is retried once, without X-Hook-Token',
    'X-Hook-Token: the secret token of the hook',
    {
      again: (more, c) => more || (c.attempt === 1 && c.result.status === 500),
      headers(h, c) {
        if (c.attempt > 1) delete h['X-Hook-Token']
      },
    },
  ),
  v(
    'retry-with-other-event-name',
    'Delivery request headers',
    'a 503 is retried once, with X-Hook-Event: Retry Hook',
    'X-Hook-Event: event type name',
    {
      again: (more, c) => more || (c.attempt === 1 && c.result.status === 503),
      headers(h, c) {
        if (c.attempt > 1) h['X-Hook-Event'] = 'Retry Hook'
      },
    },
  ),
  send('hook-off-after-a-failure', 'after one failed delivery a hook gets no more events', WHEN, {
    after(x, c) {
      if (c.result.error || c.result.status >= 400) c.hook.off = true
    },
    gate: (want, c) => want && !c.hook.off,
  }),
  send('hook-off-after-gone', 'after 4xx a hook gets no more events for ten minutes', WHEN, {
    after(x, c) {
      if (c.result.status >= 400 && c.result.status < 500) c.hook.offSince = Date.now()
    },
    gate: (want, c) => want && !(c.hook.offSince > Date.now() - 600_000),
  }),
  send(
    'events-lost-while-busy',
    'events are lost while a delivery to the hook is under way',
    WHEN,
    {
      gate: (want, c) => want && c.hook.pending === 0,
    },
  ),
  send(
    'slow-receiver-dropped',
    'a receiver is given one second, then the connection is closed',
    'Limits: receiver response time, recommended under 10 seconds',
    {
      request(r) {
        r.timeout = 1000
      },
    },
  ),
  send(
    'redirect-changes-the-hook',
    'after a 301 the Location replaces the url of the hook',
    'to the URL set in a hook',
    {
      sent(result, c) {
        if (result.status === 301 && result.location)
          c.config.url = new URL(result.location, c.config.url).href
      },
    },
  ),
  send('every-event-twice', 'each event is delivered twice', WHEN, {
    again: (more, c) => more || (c.attempt === 1 && !c.test),
  }),
  send(
    'unreachable-hook-stops-the-rest',
    'after a hook that cannot be reached the others get nothing',
    WHEN,
  ),
  send(
    'close-events-merged',
    'of events of a project within 60 ms only the last is delivered',
    WHEN,
  ),
  send(
    'current-project-is-global',
    'events of two projects at once name the later project in project',
    'Project: id ... of the event',
    {},
  ),

  target('only-first-hook', 'only the first hook that wants an event gets it', WHEN, (list) =>
    list.slice(0, 1),
  ),
  target('only-last-hook', 'only the last hook that wants an event gets it', WHEN, (list) =>
    list.slice(-1),
  ),
  target('third-hook-left-out', 'only two hooks get an event', WHEN, (list) => list.slice(0, 2)),
  target(
    'one-delivery-per-host',
    'of hooks with the same host and port only the first gets an event',
    WHEN,
    (list) =>
      list.filter((h, i) => {
        const host = (x) => new URL(x.config.url).host
        return list.findIndex((x) => host(x) === host(h)) === i
      }),
  ),
  target(
    'one-delivery-per-token',
    'of hooks with the same token only the first gets an event',
    WHEN,
    (list) =>
      list.filter(
        (h, i) => !h.config.token || list.findIndex((x) => x.config.token === h.config.token) === i,
      ),
  ),
  target(
    'events-cross-projects',
    'hooks of all projects get the events of each',
    IN_PROJECT,
    (list, c) => [...list, ...c.others.filter((h) => h.config[c.event.flag])],
  ),
  target(
    'releases-cross-projects',
    'release events go to the hooks of all projects',
    IN_PROJECT,
    (list, c) =>
      c.event.event === 'release'
        ? [...list, ...c.others.filter((h) => h.config.releases_events)]
        : list,
  ),
  v(
    'other-project-hooks-kept-in-the-first',
    WHERE,
    'hooks of the other project are kept in the first',
    IN_PROJECT,
  ),
  send(
    'first-event-of-a-hook-lost',
    'the first event after the creation of a hook is not delivered',
    WHEN,
    {
      gate(want, c) {
        if (!want) return false
        c.hook.seen += 1
        return c.hook.seen > 1
      },
    },
  ),
  send('events-stop-after-five', 'a hook gets five events and then no more', WHEN, {
    gate(want, c) {
      if (want) c.hook.seen += 1
      return want && c.hook.seen <= 5
    },
  }),

  v(
    'update-loses-token',
    'Delivery request headers',
    'an update without a token takes the token from the hook',
    'X-Hook-Token: the secret token of the hook',
    {
      config(config, c) {
        if (c.old && c.fields.token === undefined) config.token = null
      },
    },
  ),
  v(
    'update-keeps-old-token',
    'Delivery request headers',
    'after an update of the token the old one is sent',
    'X-Hook-Token: the secret token of the hook',
    {
      config(config, c) {
        if (c.old) config.token = c.old.token
      },
    },
  ),
  v(
    'update-keeps-old-url',
    WHERE,
    'after an update of the url deliveries go to the old one',
    'to the URL set in a hook',
    {
      config(config, c) {
        if (c.old) config.url = c.old.url
      },
    },
  ),
  v(
    'deleted-hook-still-delivers',
    WHERE,
    'a hook that was deleted (204) still delivers',
    'RFC 9110 9.3.5: DELETE removes the resource',
  ),
]

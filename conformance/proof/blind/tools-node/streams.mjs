// Event streams: the wire form of events, and streams that a client can take up again.
import { on } from './switches.mjs'

export function frame({ id, event, data, retry }) {
  const nl = on('sse-lines-end-in-crlf') ? '\r\n' : '\n'
  const sp = on('sse-no-space-after-colon') ? '' : ' '
  const lines = []
  if (retry !== undefined) lines.push(`retry:${sp}${retry}`)
  if (event && !(on('sse-message-event-not-named') && event === 'message'))
    lines.push(`event:${sp}${event}`)
  if (id !== undefined) lines.push(`id:${sp}${id}`)
  if (data !== undefined) {
    const parts =
      on('sse-data-on-two-lines') && data.startsWith('{"') ? ['{', data.slice(1)] : [data]
    for (const part of parts) lines.push(part === '' ? 'data:' : `data:${sp}${part}`)
  }
  return lines.join(nl) + nl + nl
}

export function open(res, headers = {}) {
  res.writeHead(200, {
    'content-type': 'text/event-stream',
    'cache-control': 'no-cache, no-transform',
    'x-accel-buffering': 'no',
    ...headers,
  })
  res.flushHeaders()
  if (on('sse-comments-keep-alive')) {
    res.write(': open\n\n')
    const timer = setInterval(() => res.write(': still here\n\n'), 300)
    res.on('close', () => clearInterval(timer))
  }
}

const KEPT_STREAMS = 300

export class Streams {
  constructor(session) {
    this.session = session
    this.all = new Map()
    this.number = 0
  }

  create(standalone) {
    this.number += 1
    const stream = new Stream(this, this.number, standalone)
    this.all.set(this.number, stream)
    if (this.all.size > KEPT_STREAMS) this.all.delete(this.all.keys().next().value)
    return stream
  }

  // What belongs to no request goes to exactly one stream: the newest open one, or else the newest
  // that lost its connection, where it waits for the client to come back.
  notify(message) {
    let pool = [...this.all.values()].filter((s) => s.standalone && !s.done)
    if (on('notices-on-running-calls')) {
      const busy = [...this.all.values()].filter((s) => !s.standalone && !s.done && s.res)
      if (busy.length) pool = busy
    }
    const open = pool.filter((s) => s.res)
    if (on('notices-on-all-streams')) {
      for (const s of open) s.send(message)
      return
    }
    if (on('notices-only-on-oldest-stream')) {
      pool[0]?.send(message)
      return
    }
    ;(open.at(-1) ?? pool.at(-1))?.send(message)
  }

  find(lastEventId) {
    const m = /^(\d+)-(\d+)$/.exec(lastEventId)
    const stream = m && this.all.get(Number(m[1]))
    return stream && Number(m[2]) < stream.events.length ? { stream, after: Number(m[2]) } : null
  }

  end() {
    for (const s of this.all.values()) s.end()
  }
}

class Stream {
  constructor(owner, number, standalone) {
    Object.assign(this, { owner, number, standalone, events: [], res: null, done: false })
    // From 2025-11-25 on, an empty first event gives the client an id to come back with.
    const primes =
      owner.session.version >= '2025-11-25' &&
      !on('streams-without-first-event') &&
      !on('streams-cannot-be-resumed')
    this.events.push(primes ? { data: '' } : null)
  }

  idOf(n) {
    if (on('streams-cannot-be-resumed')) return undefined
    return on('event-ids-repeat-over-streams') ? `1-${n}` : `${this.number}-${n}`
  }

  write(n) {
    const e = this.events[n]
    if (!e || !this.res) return
    const retry =
      on('sse-retry-hint') && e.data === '' ? 1500 : this.polled && e.data === '' ? 50 : undefined
    this.res.write(frame({ id: this.idOf(n), retry, ...e }))
  }

  attach(res, after = -1) {
    this.res?.end()
    this.res = res
    res.on('close', () => {
      if (this.res === res) {
        this.res = null
        this.onlost?.()
      }
    })
    let from = after + 1
    if (on('replay-repeats-last-event') && after >= 0) from = after
    if (on('replay-skips-one-event') && after >= 0) from = after + 2
    if (on('replay-mixes-streams') && after >= 0)
      for (const s of this.owner.all.values())
        if (s !== this)
          for (const e of s.events) if (e?.event) res.write(frame({ id: `${s.number}-0`, ...e }))
    if (!(on('replay-forgets-missed-events') && after >= 0))
      for (let n = from; n < this.events.length; n += 1) this.write(n)
    if (this.done) this.finish()
  }

  send(message) {
    if (this.done) return
    this.events.push({ event: 'message', data: JSON.stringify(message) })
    this.write(this.events.length - 1)
  }

  end() {
    this.done = true
    this.finish()
  }

  finish() {
    if (!this.res || (on('streams-left-open-after-answer') && !this.standalone)) return
    this.res.end()
    this.res = null
  }
}

// The greeting itself, apart from the transport: one object per stream.
import { phrase, timeText, verdict } from './choices.mjs'
import { textRules } from './violations-text.mjs'
import { flowRules } from './violations-flow.mjs'

export const later = (ms, work) => setTimeout(work, ms).unref()

export function createGreeter(on) {
  const rules = [...textRules, ...flowRules].filter((rule) => on.has(rule.name))
  const greeter = { streams: new Set(), state: {}, opened: 0, on }

  const hook = (which, ...args) => {
    for (const rule of rules) {
      const result = rule[which]?.(...args)
      if (result !== undefined) return result
    }
    return undefined
  }

  function makeResponse(s, name, r) {
    s.sent += 1
    const ctx = { s, r, greeter, state: greeter.state }
    const called = hook('who', name, ctx) ?? name
    const date = hook('date', ctx) ?? new Date()
    const response = {
      message: hook('words', called, ctx) ?? phrase(called, s, r, on),
      server_timestamp: typeof date === 'string' ? date : timeText(date, on),
    }
    return hook('response', response, ctx) ?? response
  }

  /** Makes and sends the response now. */
  function emit(s, name, r) {
    if (s.done) return
    const response = makeResponse(s, name, r)
    if (hook('emit', s, response, greeter) === 'handled') return
    s.io.send(response)
    if (on.has('two-responses-each')) {
      s.io.send({ ...makeResponse(s, name, r), message: `How are you, ${name || 'friend'}?` })
    }
  }

  function finishWhenIdle(s) {
    if (!s.halfClosed || s.pending > 0 || s.done) return
    flush(s)
    if (on.has('goodbye-last')) {
      s.io.send({ message: 'Goodbye, and thank you.', server_timestamp: timeText(new Date(), on) })
    }
    close(s)
    const status = hook('status', s, greeter)
    if (status === 'none') return
    if (status) s.io.fail(...status)
    else s.io.end()
  }

  function afterwards(s, ms, work) {
    s.pending += 1
    later(ms, () => {
      s.pending -= 1
      work()
      finishWhenIdle(s)
    })
  }

  function flush(s) {
    const waiting = s.waiting.splice(0)
    if (!waiting.length) return
    if (on.has('combines-within-50-ms') || on.has('answers-every-second-request')) {
      const names = waiting.map((r) => r.name || 'friend')
      emit(s, names.join(' and '), waiting.at(-1))
    } else for (const r of waiting) emit(s, r.name, r)
  }

  function answer(s, r) {
    if (on.has('answers-after-300-ms')) afterwards(s, 300, () => emit(s, r.name, r))
    else if (on.has('answers-out-of-order'))
      afterwards(s, ((s.count * 3) % 5) * 8, () => emit(s, r.name, r))
    else if (on.has('answers-every-second-request')) {
      s.waiting.push(r)
      if (s.waiting.length === 2) flush(s)
    } else if (on.has('flushes-every-100-ms') || on.has('combines-within-50-ms')) {
      s.waiting.push(r)
      if (s.waiting.length === 1)
        afterwards(s, on.has('combines-within-50-ms') ? 50 : 100, () => flush(s))
    } else emit(s, r.name, r)
  }

  function close(s) {
    s.done = true
    clearInterval(s.idle)
    greeter.streams.delete(s)
  }

  function fail(s, code, details) {
    close(s)
    s.io.fail(code, details)
  }

  Object.assign(greeter, { emit, afterwards, answer, fail, close, finishWhenIdle })

  greeter.open = (io) => {
    greeter.opened += 1
    const s = {
      io,
      number: greeter.opened,
      count: 0,
      sent: 0,
      pending: 0,
      waiting: [],
      ids: new Set(),
      names: [],
      since: Date.now(),
      done: false,
      halfClosed: false,
    }
    greeter.streams.add(s)
    if (on.has('welcome-first')) {
      io.send({
        message: 'Welcome. Whom may we greet?',
        server_timestamp: timeText(new Date(), on),
      })
    }
    if (on.has('idle-greeting')) {
      s.idle = setInterval(() => {
        io.send({ message: 'Hello again.', server_timestamp: timeText(new Date(), on) })
      }, 250).unref()
    }
    hook('open', s, greeter)
    return {
      request(r) {
        if (s.done) return
        s.count += 1
        const refused = verdict(s, r, on)
        if (refused === 'ignore') return
        if (refused) {
          fail(s, ...refused)
          return
        }
        const handled = hook('request', s, r, greeter)
        if (handled !== 'handled') answer(s, r)
        s.names.push(r.name)
        greeter.state.last = r.name
      },
      halfClose() {
        s.halfClosed = true
        if (hook('halfClose', s, greeter) === 'handled') return
        // A client's cancellation often comes as END_STREAM and RST_STREAM in one packet.
        if (rules.some((rule) => rule.cancelled)) later(5, () => finishWhenIdle(s))
        else finishWhenIdle(s)
      },
      cancelled() {
        if (!s.done) hook('cancelled', s, greeter)
        close(s)
      },
    }
  }
  return greeter
}

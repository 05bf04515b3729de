// Violations in how streams run: which stream gets what, ends, cancellation, loss, statuses, memory.
const where = 'Greeting RPC'
const EXCHANGE = 'exchanges streams of greeting requests and greeting responses over one connection'
const REAL = 'exchanges streams … over one connection, for real-time exchange'
const NAME = 'name: name to greet'
const ID = 'request_id: … used to track requests within the stream'
const GRPC = 'gRPC: the RPC completes with a status, OK (0) when it went well'

const flow = (name, breaks, does, hooks) => ({ name, where, does, breaks, ...hooks })
const request = (name, breaks, does, fn) => flow(name, breaks, does, { request: fn })
const emit = (name, breaks, does, fn) => flow(name, breaks, does, { emit: fn })
const status = (name, does, fn) => flow(name, GRPC, does, { status: fn })
const H = 'handled'

const others = (s, g) => [...g.streams].filter((other) => other !== s)

/** Answers nothing more on this stream. */
const dead = (s) => {
  s.dead = true
  return H
}

export const flowRules = [
  // Streams that mix.
  request(
    'name-in-shared-variable',
    NAME,
    'the name waits in a variable of all streams',
    (s, r, g) => {
      g.state.shared = r.name
      g.afterwards(s, 10, () => g.emit(s, g.state.shared, r))
      return H
    },
  ),
  request(
    'names-swapped-between-two',
    NAME,
    "with two streams open, each is answered with the other's name",
    (s, r, g) => {
      const other = others(s, g)[0]
      if (!other || !other.names.length) return undefined
      g.emit(s, other.names.at(-1), r)
      return H
    },
  ),
  emit('answers-newest-stream', EXCHANGE, 'responses go to the newest stream', (s, response, g) => {
    const newest = [...g.streams].at(-1)
    if (!newest || newest === s) return undefined
    newest.io.send(response)
    return H
  }),
  emit(
    'answers-all-streams',
    EXCHANGE,
    'each response goes to every open stream',
    (s, response, g) => {
      for (const other of others(s, g)) other.io.send(response)
      return undefined
    },
  ),
  emit(
    'answers-in-turn',
    EXCHANGE,
    'with more than three streams, responses rotate among them',
    (s, response, g) => {
      if (g.streams.size < 4) return undefined
      g.state.turn = ((g.state.turn ?? 0) + 1) % g.streams.size
      ;[...g.streams][g.state.turn].io.send(response)
      return H
    },
  ),
  flow(
    'leftover-of-cancelled-stream',
    EXCHANGE,
    'the next stream answers what a cancelled one asked',
    {
      cancelled: (s, g) => {
        g.state.leftover = s.names.at(-1)
      },
      open: (s, g) => {
        if (g.state.leftover === undefined) return
        const name = g.state.leftover
        g.state.leftover = undefined
        s.names.push(name)
        g.emit(s, name, { name, request_id: '' })
      },
    },
  ),
  flow(
    'new-stream-replays-last',
    EXCHANGE,
    'a new stream starts with the last response of another',
    {
      emit: (s, response, g) => {
        g.state.replay = response
      },
      open: (s, g) => {
        if (g.state.replay) s.io.send(g.state.replay)
      },
    },
  ),
  request(
    'id-known-from-other-stream',
    ID,
    'a request_id that another stream has used is not answered',
    (s, r, g) => {
      const owners = (g.state.owners ??= new Map())
      if (r.request_id === '') return undefined
      if (!owners.has(r.request_id)) owners.set(r.request_id, s.number)
      return owners.get(r.request_id) === s.number ? undefined : H
    },
  ),
  request(
    'ids-must-be-numbers',
    ID,
    'a request_id that is no number ends the stream with INTERNAL',
    (s, r, g) => {
      if (r.request_id === '' || /^\d+$/.test(r.request_id)) return undefined
      g.fail(s, 13, 'strconv: parsing request_id')
      return H
    },
  ),
  request(
    'ids-above-36-lost',
    ID,
    'requests whose request_id has more than 36 characters are dropped',
    (s, r) => (r.request_id.length > 36 ? H : undefined),
  ),
  request(
    'ids-must-ascend',
    ID,
    'a request_id that sorts before the last one is dropped',
    (s, r) => {
      const lost = s.lastId !== undefined && r.request_id < s.lastId
      s.lastId = r.request_id
      return lost ? H : undefined
    },
  ),
  flow(
    'one-stream-at-a-time',
    EXCHANGE,
    'a second stream is not answered before the first one is over',
    {
      request: (s, r, g) => {
        if ([...g.streams][0] === s) return undefined
        ;(s.parked ??= []).push(r)
        s.pending += 1
        const wait = setInterval(() => {
          if ([...g.streams][0] !== s && !s.done) return
          clearInterval(wait)
          s.pending -= 1
          g.emit(s, r.name, r)
          g.finishWhenIdle(s)
        }, 20).unref()
        return H
      },
    },
  ),
  request(
    'fifth-stream-unanswered',
    EXCHANGE,
    'with more than four streams open, the newest get no answers',
    (s, r, g) => ([...g.streams].indexOf(s) >= 4 ? H : undefined),
  ),
  flow('end-ends-all', EXCHANGE, 'the half-close of one stream ends every open stream', {
    halfClose: (s, g) => {
      for (const other of others(s, g)) {
        g.close(other)
        other.io.end()
      }
    },
  }),
  flow(
    'cancel-ends-all',
    EXCHANGE,
    'the cancellation of one stream fails the others with CANCELLED',
    {
      cancelled: (s, g) => {
        for (const other of others(s, g)) g.fail(other, 1, 'cancelled')
      },
    },
  ),
  flow('cancel-stops-server', EXCHANGE, 'a cancelled stream ends the process', {
    cancelled: () => process.exit(1),
  }),
  flow(
    'cancel-leaks-slots',
    EXCHANGE,
    'cancelled streams keep their slot: five, and new ones fail',
    {
      cancelled: (s, g) => {
        g.state.leaked = (g.state.leaked ?? 0) + 1
      },
      open: (s, g) => {
        if (g.state.leaked >= 5) setImmediate(() => g.fail(s, 8, 'too many streams'))
      },
    },
  ),
  flow('cancel-silences-next', EXCHANGE, 'the stream after a cancelled one is not answered', {
    cancelled: (s, g) => {
      g.state.silent = true
    },
    open: (s, g) => {
      s.dead = g.state.silent
      g.state.silent = false
    },
    request: (s) => (s.dead ? H : undefined),
  }),
  flow(
    'after-twenty-streams-refused',
    EXCHANGE,
    'from the 21st stream on, streams fail with UNAVAILABLE',
    {
      open: (s, g) => {
        if (s.number > 20) setImmediate(() => g.fail(s, 14, 'no more workers'))
      },
    },
  ),
  flow(
    'first-stream-refused',
    EXCHANGE,
    'the first stream after the start fails with UNAVAILABLE',
    {
      open: (s, g) => {
        if (s.number === 1) setImmediate(() => g.fail(s, 14, 'warming up'))
      },
    },
  ),

  // Pace and loss.
  flow('answers-at-half-close-only', REAL, 'all responses come after the half-close', {
    request: (s, r) => {
      ;(s.late ??= []).push(r)
      return H
    },
    halfClose: (s, g) => {
      for (const r of s.late ?? []) g.emit(s, r.name, r)
    },
  }),
  request(
    'one-request-behind',
    REAL,
    'a request is answered when the next one comes, the last at the end',
    (s, r, g) => {
      if (s.held) g.emit(s, s.held.name, s.held)
      else s.late = true
      s.held = r
      return H
    },
  ),
  request('first-request-only', EXCHANGE, 'only the first request of a stream is answered', (s) =>
    s.count > 1 ? H : undefined,
  ),
  request(
    'ends-after-first',
    EXCHANGE,
    'the stream ends with OK after the first response',
    (s, r, g) => {
      g.emit(s, r.name, r)
      g.close(s)
      s.io.end()
      return H
    },
  ),
  request('stops-after-hundred', EXCHANGE, 'requests after the hundredth are not answered', (s) =>
    s.count > 100 ? H : undefined,
  ),
  request('every-tenth-lost', EXCHANGE, 'every tenth request of a stream is not answered', (s) =>
    s.count % 10 === 0 ? H : undefined,
  ),
  request('burst-lost', EXCHANGE, 'requests within 3 ms of the one before are dropped', (s) => {
    const soon = Date.now() - (s.lastAt ?? 0) <= 3
    s.lastAt = Date.now()
    return soon ? H : undefined
  }),
  request(
    'half-close-loses-pending',
    EXCHANGE,
    'responses that are not ready at the half-close are lost',
    (s, r, g) => {
      setTimeout(() => {
        if (!s.done) g.emit(s, r.name, r)
      }, 15).unref()
      return H
    },
  ),
  request(
    'dead-after-idle-second',
    EXCHANGE,
    'after an idle second, a stream is not answered any more',
    (s) => {
      if (s.dead || (s.lastAt && Date.now() - s.lastAt > 1000)) return dead(s)
      s.lastAt = Date.now()
      return undefined
    },
  ),
  flow('cut-after-three-seconds', EXCHANGE, 'a stream fails with DEADLINE_EXCEEDED after 3 s', {
    open: (s, g) => {
      setTimeout(() => {
        if (!s.done) g.fail(s, 4, 'deadline exceeded')
      }, 3000).unref()
    },
  }),
  request('long-stream-internal', EXCHANGE, 'the 501st request fails with INTERNAL', (s, r, g) => {
    if (s.count <= 500) return undefined
    g.fail(s, 13, 'index out of range')
    return H
  }),
  request(
    'each-slower',
    REAL,
    'each response takes 40 ms longer than the one before',
    (s, r, g) => {
      g.afterwards(s, s.count * 40, () => g.emit(s, r.name, r))
      return H
    },
  ),
  request(
    'answers-after-eight-seconds',
    REAL,
    'each response comes eight seconds late',
    (s, r, g) => {
      g.afterwards(s, 8000, () => g.emit(s, r.name, r))
      return H
    },
  ),
  request(
    'second-answer-hangs',
    EXCHANGE,
    'the second request blocks the stream, which never ends',
    (s) => {
      if (s.count < 2) return undefined
      if (s.count === 2) s.pending += 1
      return H
    },
  ),

  // Empty and odd requests.
  request('empty-name-stops-server', NAME, 'an empty name ends the process', (s, r) => {
    if (r.name === '') process.exit(1)
  }),
  request(
    'empty-name-hangs',
    NAME,
    'after an empty name, the stream is dead and never ends',
    (s, r) => {
      if (r.name === '') s.pending += 1
      return s.pending ? H : undefined
    },
  ),
  request(
    'empty-request-ends',
    NAME,
    'a request with both fields empty is taken for the end of the stream',
    (s, r, g) => {
      if (r.name || r.request_id) return undefined
      g.close(s)
      s.io.end()
      return H
    },
  ),
  request('same-name-once', NAME, 'a name that was greeted already gets no response', (s, r, g) => {
    const known = (g.state.known ??= new Set())
    if (known.has(r.name)) return H
    known.add(r.name)
    return undefined
  }),
  request(
    'non-ascii-name-fails',
    NAME,
    'a non-ASCII name fails the stream with INTERNAL',
    (s, r, g) => {
      if (!/[^\x00-\x7f]/.test(r.name)) return undefined
      g.fail(s, 13, "ascii codec can't encode")
      return H
    },
  ),
  request(
    'long-name-fails',
    NAME,
    'a name above 1,000 characters fails with UNKNOWN',
    (s, r, g) => {
      if (r.name.length <= 1000) return undefined
      g.fail(s, 2, 'value too long')
      return H
    },
  ),

  // How a stream ends.
  status('never-ends', 'after the half-close there is no status', () => 'none'),
  status('ends-with-unknown', 'a good stream ends with UNKNOWN', () => [2, '']),
  status('ends-with-cancelled', 'a good stream ends with CANCELLED', () => [1, 'client closed']),
  status('empty-stream-fails', 'a stream without requests ends with INTERNAL', (s) =>
    s.count === 0 ? [13, 'nil request'] : undefined,
  ),
  status('empty-stream-never-ends', 'a stream without requests never ends', (s) =>
    s.count === 0 ? 'none' : undefined,
  ),
  status('ends-ten-seconds-late', 'the status comes ten seconds after the half-close', (s) => {
    setTimeout(() => s.io.end(), 10000).unref()
    return 'none'
  }),
  status('second-stream-fails-at-end', 'every second stream ends with UNKNOWN', (s) =>
    s.number % 2 === 0 ? [2, 'stream already closed'] : undefined,
  ),
  status(
    'long-stream-fails-at-end',
    'a stream of more than 200 requests ends with RESOURCE_EXHAUSTED',
    (s) => (s.count > 200 ? [8, 'quota'] : undefined),
  ),
]

// one-request-behind answers the request that it still holds when the half-close comes.
flowRules.find((rule) => rule.name === 'one-request-behind').halfClose = (s, g) => {
  if (s.held) g.emit(s, s.held.name, s.held)
}

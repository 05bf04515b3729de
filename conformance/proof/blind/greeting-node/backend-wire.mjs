// The greeter behind plain HTTP/2: the same gRPC service, with the switches that grpc-js has no place for.
import http2 from 'node:http2'
import { serviceName } from './choices.mjs'
import { later } from './greeter.mjs'
import { decodeRequest, decompress, encodeResponse, frame } from './wire-codec.mjs'

const { constants } = http2
const LIMIT = 4 * 1024 * 1024
const UNITS = { H: 3600000, M: 60000, S: 1000, m: 1, u: 0.001, n: 0.000001 }

/** True when nothing can be sent any more, for instance because the client has reset the stream. */
const gone = (stream) => stream.destroyed || stream.closed

const percent = (b) => `%${b.toString(16).padStart(2, '0').toUpperCase()}`
const plain = (b) => b >= 0x20 && b <= 0x7e && b !== 0x25
const escape = (text) =>
  [...Buffer.from(text)].map((b) => (plain(b) ? String.fromCharCode(b) : percent(b))).join('')

export function listen(greeter, on) {
  const settings = {}
  if (on.has('small-window')) settings.initialWindowSize = 1000
  if (on.has('three-streams-at-once')) settings.maxConcurrentStreams = 3
  const { PADDING_STRATEGY_MAX: most, PADDING_STRATEGY_NONE: none } = constants
  const paddingStrategy = on.has('padded-frames') ? most : none
  const server = http2.createServer({ settings, paddingStrategy })
  const sessions = new Set()
  const noTrailers = on.has('trailers-missing') || on.has('status-in-headers')

  server.on('session', (session) => {
    if (on.has('second-connection-closed') && sessions.size) {
      session.destroy()
      return
    }
    sessions.add(session)
    session.streamCount = 0
    const pings =
      on.has('server-pings') &&
      setInterval(() => {
        if (!session.destroyed) session.ping(() => {})
      }, 50).unref()
    session.on('error', () => {})
    session.on('close', () => {
      clearInterval(pings)
      sessions.delete(session)
    })
  })

  function headersOf(call) {
    const head = {
      ':status': on.has('http-status-202') ? 202 : 200,
      'content-type': 'application/grpc',
    }
    if (on.has('content-type-with-proto')) head['content-type'] = 'application/grpc+proto'
    if (on.has('content-type-json')) head['content-type'] = 'application/json'
    if (on.has('content-type-octets')) head['content-type'] = 'application/octet-stream'
    if (on.has('content-type-missing')) delete head['content-type']
    head['grpc-accept-encoding'] = on.has('no-server-compression')
      ? 'identity'
      : 'identity,deflate,gzip'
    if (on.has('identity-named')) head['grpc-encoding'] = 'identity'
    const gzip = call.gzip || on.has('gzip-not-accepted') || on.has('gzip-without-flag')
    if (gzip) head['grpc-encoding'] = 'gzip'
    if (on.has('encoding-not-named')) head['grpc-encoding'] = 'snappy'
    if (on.has('status-in-headers')) head['grpc-status'] = '0'
    return head
  }

  function trailersOf(code, details, call) {
    const tail = { 'grpc-status': String(code) }
    if (on.has('status-as-word') && code === 0) tail['grpc-status'] = 'OK'
    if (details) tail['grpc-message'] = escape(details)
    if (on.has('status-message-without-status')) tail['grpc-message'] = 'all went well'
    const missing =
      on.has('status-missing') ||
      on.has('status-message-without-status') ||
      (on.has('status-missing-for-empty-stream') && call.received === 0)
    if (missing) delete tail['grpc-status']
    return tail
  }

  /** Lets go of a stream whose status is sent while the client may still be sending. */
  function release(stream) {
    stream.resume()
    later(50, () => {
      if (!stream.closed) stream.close(constants.NGHTTP2_NO_ERROR)
    })
  }

  function refuse(stream, code, details, status = 200) {
    const head = {
      ':status': status,
      'content-type': 'application/grpc',
      'grpc-status': String(code),
      'grpc-message': escape(details),
      'grpc-accept-encoding': 'identity,deflate,gzip',
    }
    stream.respond(head, { endStream: true })
    release(stream)
  }

  function start(call) {
    if (call.started) return
    call.started = true
    call.stream.respond(headersOf(call), { waitForTrailers: !noTrailers })
    call.stream.on('wantTrailers', () => {
      if (!gone(call.stream)) call.stream.sendTrailers(call.trailers)
      release(call.stream)
    })
  }

  /** Writes the first ten bytes one by one: each waits until the one before has left. */
  function drip(call, bytes) {
    for (let i = 0; i < Math.min(bytes.length, 10); i += 1)
      call.queue.push(bytes.subarray(i, i + 1))
    if (bytes.length > 10) call.queue.push(bytes.subarray(10))
    if (call.queue.running) return
    call.queue.running = true
    const next = () => {
      const part = call.queue.shift()
      if (part && !gone(call.stream)) call.stream.write(part, next)
      else {
        call.queue.running = false
        if (call.ending && !gone(call.stream)) call.stream.end()
      }
    }
    next()
  }

  function write(call, bytes) {
    const { stream } = call
    if (on.has('frames-of-one-byte')) drip(call, bytes)
    else if (on.has('prefix-apart')) {
      stream.write(bytes.subarray(0, 5))
      if (bytes.length > 5) stream.write(bytes.subarray(5))
    } else stream.write(bytes)
    if (stream.writableNeedDrain && !call.waits && !on.has('drops-when-client-is-slow')) {
      call.waits = true
      stream.pause()
      stream.once('drain', () => {
        call.waits = false
        stream.resume()
      })
    }
  }

  function send(call, response) {
    if (call.over || gone(call.stream)) return
    start(call)
    if (on.has('drops-when-client-is-slow') && call.stream.writableNeedDrain) return
    write(call, frame(encodeResponse(response, call, on), call, on))
    call.sent += 1
  }

  function finish(call, code, details = '') {
    if (call.over || gone(call.stream)) return
    call.over = true
    clearTimeout(call.timer)
    const reset =
      on.has('reset-in-place-of-status') ||
      (on.has('reset-after-long-stream') && call.received > 50)
    if (reset && code === 0) {
      later(30, () => call.stream.close(constants.NGHTTP2_INTERNAL_ERROR))
      return
    }
    call.trailers = trailersOf(code, details, call)
    if (!call.started && !noTrailers) {
      call.stream.respond({ ...headersOf(call), ...call.trailers }, { endStream: true })
      release(call.stream)
    } else {
      start(call)
      call.ending = true
      if (!call.queue.running) call.stream.end()
      if (noTrailers) release(call.stream)
    }
    if (on.has('end-closes-connection')) later(40, () => call.connection.destroy())
  }

  function deadline(call, text) {
    const match = /^(\d{1,8})([HMSmun])$/.exec(text)
    if (!match || (on.has('timeout-units-fail') && match[2] !== 'm')) {
      fail(call, 13, `invalid grpc-timeout ${text}`)
      return
    }
    if (on.has('timeout-not-enforced')) return
    let unit = UNITS[match[2]]
    if (on.has('timeout-millis-as-micros') && match[2] === 'm') unit = 0.001
    if (on.has('timeout-seconds-as-millis') && match[2] === 'S') unit = 1
    const ms = Number(match[1]) * unit
    if (ms < 2 ** 31) call.timer = later(ms, () => fail(call, 4, 'Deadline exceeded'))
  }

  function fail(call, code, details) {
    call.session?.cancelled()
    finish(call, code, details)
  }

  function message(call, flag, body) {
    let bytes = body
    if (flag && on.has('compressed-request-dropped')) return
    if (flag && !on.has('compressed-request-misread')) {
      if (!call.encoding || call.encoding === 'identity') {
        fail(call, 13, 'compressed flag without grpc-encoding')
        return
      }
      bytes = on.has('no-server-compression') ? undefined : decompress(body, call.encoding)
      if (!bytes) {
        fail(
          call,
          on.has('unknown-encoding-internal') ? 13 : 12,
          `unsupported encoding ${call.encoding}`,
        )
        return
      }
    }
    call.received += 1
    if (on.has('second-request-internal') && call.received > 1)
      fail(call, 13, 'more than one request')
    else call.session.request(decodeRequest(bytes, call, on))
  }

  function read(call, chunk) {
    call.bytes += chunk.length
    call.buffer = call.buffer.length ? Buffer.concat([call.buffer, chunk]) : chunk
    if (
      on.has('split-request-fails') &&
      call.buffer.length <= 5 &&
      call.buffer.readUIntBE(0, 1) === 0 &&
      chunk.length === 5 &&
      call.buffer[4]
    ) {
      fail(call, 13, 'unexpected end of message')
      return
    }
    while (call.buffer.length >= 5 && !call.over) {
      const length = call.buffer.readUInt32BE(1)
      if (length > LIMIT) {
        fail(call, 8, 'message is too large')
        return
      }
      if (call.buffer.length < 5 + length) break
      const [flag, body] = [call.buffer[0], call.buffer.subarray(5, 5 + length)]
      call.buffer = on.has('second-in-frame-lost')
        ? Buffer.alloc(0)
        : call.buffer.subarray(5 + length)
      message(call, flag, body)
    }
    if (on.has('split-request-lost')) call.buffer = Buffer.alloc(0)
    if (on.has('reads-64-kb-only') && call.bytes > 65536) call.stream.pause()
  }

  /** Refuses what is no call of the method; true when it did. */
  function refused(stream, headers) {
    const type = headers['content-type'] ?? ''
    if (
      headers[':method'] !== 'POST' ||
      !/^application\/grpc($|[+;])/.test(type) ||
      (on.has('plus-proto-refused') && type.includes('+'))
    ) {
      stream.respond({ ':status': headers[':method'] === 'POST' ? 415 : 405 }, { endStream: true })
      release(stream)
      return true
    }
    const [, service, method] = headers[':path'].split('/')
    let wanted = `/${serviceName(on)}/BidirectionalGreeting`
    if (on.has('package-dropped')) wanted = wanted.replace('examples.', '')
    if (on.has('method-in-lower-camel')) wanted = wanted.replace('/Bid', '/bid')
    if (headers[':path'] === wanted) return false
    if (on.has('unknown-method-served') && service === serviceName(on)) return false
    if (on.has('unknown-service-served') && method === 'BidirectionalGreeting') return false
    if (on.has('unknown-method-hangs')) return true
    if (on.has('unknown-method-404')) {
      stream.respond({ ':status': 404, 'content-type': 'text/plain' })
      stream.end('not found\n')
      release(stream)
    } else if (on.has('unknown-method-ok')) refuse(stream, 0, '')
    else if (on.has('unknown-method-unknown')) refuse(stream, 2, 'unknown method')
    else refuse(stream, 12, 'unknown method', on.has('http-status-500-on-failure') ? 500 : 200)
    return true
  }

  server.on('stream', (stream, headers) => {
    stream.on('error', () => {})
    const { session: connection } = stream
    connection.streamCount += 1
    if (on.has('connection-of-ten-streams') && connection.streamCount > 10) {
      stream.close(constants.NGHTTP2_INTERNAL_ERROR)
      return
    }
    if (gone(stream) || refused(stream, headers)) return
    const custom = Object.keys(headers).filter(
      (h) => !/^(:|te$|content-type|user-agent|grpc-|accept-enc)/.test(h),
    )
    if (on.has('custom-metadata-fails') && custom.length)
      return void refuse(stream, 13, 'unknown metadata')
    if (on.has('binary-metadata-fails') && custom.some((h) => h.endsWith('-bin'))) {
      return void refuse(stream, 13, 'invalid metadata')
    }
    const accepted = String(headers['grpc-accept-encoding'] ?? '').split(/\s*,\s*/)
    const call = {
      stream,
      connection,
      queue: [],
      buffer: Buffer.alloc(0),
      received: 0,
      sent: 0,
      bytes: 0,
      over: false,
      encoding: headers['grpc-encoding'],
      gzip: on.has('gzip-responses') && accepted.includes('gzip'),
    }
    call.session = greeter.open({
      send: (response) => send(call, response),
      end: () => finish(call, 0),
      fail: (code, details) => finish(call, code, details),
    })
    if (headers['grpc-timeout']) deadline(call, headers['grpc-timeout'])
    stream.on('data', (chunk) => {
      if (call.over) return
      try {
        read(call, chunk)
      } catch {
        fail(call, 13, 'the request cannot be read')
      }
    })
    stream.on('end', () => {
      if (call.over) return
      if (call.buffer.length) fail(call, 13, 'the last request is incomplete')
      else if (on.has('cancel-closes-connection')) later(5, () => call.session.halfClose())
      else call.session.halfClose()
    })
    stream.on('close', () => {
      clearTimeout(call.timer)
      const cancelled = stream.rstCode === constants.NGHTTP2_CANCEL
      call.over = true
      call.session.cancelled()
      if (cancelled && on.has('cancel-closes-connection')) connection.destroy()
    })
    return undefined
  })

  return new Promise((done) => {
    server.listen(0, '127.0.0.1', () => done(server.address().port))
  })
}

// The greeter behind @grpc/grpc-js.
import grpc from '@grpc/grpc-js'
import loader from '@grpc/proto-loader'
import { fileURLToPath } from 'node:url'
import { serviceName } from './choices.mjs'

export function loadService() {
  const file = fileURLToPath(new URL('./greeting.proto', import.meta.url))
  const definition = loader.loadSync(file, { keepCase: true, defaults: true })
  return definition['examples.GreetingService'].BidirectionalGreeting
}

function metadata(word) {
  const all = new grpc.Metadata()
  all.set(`x-${word}`, 'greeting/1.0')
  all.set(`x-${word}-bin`, Buffer.from([0, 1, 2, 255]))
  return all
}

export function listen(greeter, on) {
  const options = {}
  if (on.has('accepts-up-to-64-mb')) options['grpc.max_receive_message_length'] = 64 * 1024 * 1024
  if (on.has('connection-age')) options['grpc.max_connection_age_ms'] = 2000
  const server = new grpc.Server(options)
  const method = { ...loadService(), path: `/${serviceName(on)}/BidirectionalGreeting` }

  function handler(call) {
    let open = true
    const finish = (code, details) => {
      if (!open) return
      open = false
      const trailers = on.has('trailing-metadata') ? metadata('tail') : undefined
      if (code === 0 && !on.has('ok-with-details')) call.end(trailers)
      else
        call.emit('error', {
          code,
          details: details || 'all greeted – good bye',
          metadata: trailers,
        })
    }
    if (on.has('initial-metadata')) call.sendMetadata(metadata('head'))
    else if (on.has('headers-at-once')) call.sendMetadata(new grpc.Metadata())
    const session = greeter.open({
      send(response) {
        if (!open || call.cancelled) return
        if (!call.write(response)) {
          call.pause()
          call.once('drain', () => call.resume())
        }
      },
      end: () => finish(0, ''),
      fail: finish,
    })
    call.on('data', session.request)
    call.on('end', session.halfClose)
    call.on('cancelled', () => {
      open = false
      session.cancelled()
    })
    call.on('error', () => {
      open = false
      session.cancelled()
    })
  }

  server.addService({ BidirectionalGreeting: method }, { BidirectionalGreeting: handler })
  return new Promise((done, failed) => {
    server.bindAsync('127.0.0.1:0', grpc.ServerCredentials.createInsecure(), (error, port) => {
      if (error) failed(error)
      else done(port)
    })
  })
}

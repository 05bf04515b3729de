import { Metadata } from '@grpc/grpc-js'
import type { GreetingChoices } from './choices.ts'

/** Callers commonly take no more than 8 KiB of headers. */
const most = 4096

/** What goes out beside the responses, in headers as in trailers. */
export function metadataFor(received: Metadata, { metadata }: GreetingChoices): Metadata {
  const sent = new Metadata()
  if (metadata === 'own') sent.set('x-served-by', 'touchstone')
  if (metadata === 'echo') {
    let size = 0
    for (const key of Object.keys(received.getMap()).filter((name) => name.startsWith('x-'))) {
      for (const value of received.get(key)) {
        size += key.length + value.length
        if (size <= most) sent.add(key, value)
      }
    }
  }
  return sent
}

import { Metadata } from '@grpc/grpc-js'
import type { GreetingChoices } from './choices.ts'

/** Clients commonly accept at most 8 KiB of headers. */
const maxEchoBytes = 4096

/** The extra metadata of headers and trailers. */
export function metadataFor(received: Metadata, { metadata }: GreetingChoices): Metadata {
  const sent = new Metadata()
  if (metadata === 'own') sent.set('x-served-by', 'touchstone')
  if (metadata === 'echo') {
    let size = 0
    for (const key of Object.keys(received.getMap()).filter((name) => name.startsWith('x-'))) {
      for (const value of received.get(key)) {
        size += key.length + value.length
        if (size <= maxEchoBytes) sent.add(key, value)
      }
    }
  }
  return sent
}

import { Metadata } from '@grpc/grpc-js'
import type { GreetingChoices } from './choices.ts'

/**
 * The maximum size of echoed metadata. It is lower than 8 KiB, because clients commonly accept at
 * most that much in headers.
 */
const maxEchoBytes = 4096

/** The extra metadata to send in headers and trailers. `received` is the metadata of the caller. */
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

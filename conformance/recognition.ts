import { recognizeGreeting } from './checks/greeting/recognize.ts'
import { recognizeImages } from './checks/images/recognize.ts'
import { recognizeTools } from './checks/tools/recognize.ts'
import { newGate, processClock } from './engine/index.ts'
import { HttpClient } from './wire/index.ts'

/** The keys of the target file that can be derived from the responses of a server. */
export type RecognizedKey = 'images.url' | 'greeting.address' | 'tools.http' | 'tools.sse'

/** How long each request may take, in milliseconds. */
const timeout = 3000

/**
 * Finds out what kind of server listens at an address (an `http:` or `https:` URL). Resolves to the
 * key of the target file to set; undefined if the responses do not show the kind. Does not
 * recognize webhook APIs and receivers: only requests that change something would identify them.
 */
export async function recognize(url: string): Promise<RecognizedKey | undefined> {
  const client = new HttpClient({
    gate: newGate({ concurrency: 1, clock: processClock }),
    timeout,
    secrets: {},
    rateLimitWait: 0,
  })
  try {
    return (
      (await recognizeTools(url, client)) ??
      (await recognizeImages(url, client)) ??
      (await recognizeGreeting(url))
    )
  } finally {
    client.close()
  }
}

import { recognizeGreeting } from './checks/greeting/recognize.ts'
import { recognizeImages } from './checks/images/recognize.ts'
import { recognizeTools } from './checks/tools/recognize.ts'
import { newGate, processClock } from './engine/index.ts'
import { HttpClient, type HttpExchange } from './wire/index.ts'

/** The keys of the target file that can be derived from the responses of a server. */
export type RecognizedKey = 'images.url' | 'greeting.address' | 'tools.http' | 'tools.sse'

/** What the responses of a server show. */
export interface Recognition {
  /** The key of the target file to set; undefined if the responses do not show the kind. */
  readonly key?: RecognizedKey | undefined
  /** The responses over HTTP, in the order of the requests. */
  readonly responses: readonly HttpExchange[]
}

/** How long each request may take, in milliseconds. */
const timeout = 3000

/** Keeps the responses. */
class RecordingClient extends HttpClient {
  readonly responses: HttpExchange[] = []

  override async send(...given: Parameters<HttpClient['send']>): Promise<HttpExchange> {
    const exchange = await super.send(...given)
    this.responses.push(exchange)
    return exchange
  }
}

/**
 * Finds out what kind of server listens at an address (an `http:` or `https:` URL). Does not
 * recognize webhook APIs and receivers: only requests that change something would identify them.
 */
export async function recognize(url: string): Promise<Recognition> {
  const client = new RecordingClient({
    gate: newGate({ concurrency: 1, clock: processClock }),
    timeout,
    secrets: {},
    rateLimitWait: 0,
  })
  try {
    const key =
      (await recognizeTools(url, client)) ??
      (await recognizeImages(url, client)) ??
      (await recognizeGreeting(url))
    return { key, responses: client.responses }
  } finally {
    client.close()
  }
}

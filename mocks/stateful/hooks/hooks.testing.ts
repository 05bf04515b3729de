import { startHooks, type HooksOptions, type HooksServer } from '../hooks.ts'
import {
  startReceiver,
  type Received,
  type ReceiverOptions,
  type ReceiverServer,
} from '../receiver.ts'

interface CallResult {
  status: number
  headers: Headers
  text: string
  body: unknown
}

/** A hook service and a receiver, and functions that use them, for the tests of this folder. */
export interface HooksFixture {
  server: HooksServer
  receiver: ReceiverServer
  call(
    method: string,
    path: string,
    init?: {
      json?: unknown
      form?: Record<string, string>
      headers?: Record<string, string>
      token?: string | null
    },
  ): Promise<CallResult>
  /** Creates a hook for the receiver and returns its id. */
  hook(fields?: Record<string, unknown>): Promise<number | string>
  test(id: number | string, event?: string): Promise<CallResult>
  /** Waits until the receiver has accepted this many deliveries, and returns them, oldest first. */
  delivered(count: number): Promise<Received[]>
  events(id: number | string): Promise<Record<string, unknown>[]>
  close(): Promise<void>
}

/**
 * Starts a hook service and a receiver. Paths are relative to the hooks of project 42, unless they
 * start with /projects.
 */
export async function startFixture(
  options: HooksOptions = {},
  received: ReceiverOptions = {},
): Promise<HooksFixture> {
  const receiver = await startReceiver(received)
  const server = await startHooks(options)
  const call: HooksFixture['call'] = async (
    method,
    path,
    { json, form, headers = {}, token = server.options.token } = {},
  ) => {
    const sent =
      form !== undefined
        ? new URLSearchParams(form)
        : json === undefined
          ? undefined
          : typeof json === 'string'
            ? json
            : JSON.stringify(json)
    const response = await fetch(
      path.startsWith('/projects') ? server.url + path : `${server.url}/projects/42/hooks${path}`,
      {
        method,
        headers: {
          ...(token === null ? {} : { 'private-token': token }),
          ...(json === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(sent === undefined ? {} : { body: sent }),
      },
    )
    const text = await response.text()
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: text === '' ? undefined : JSON.parse(text),
    }
  }
  return {
    server,
    receiver,
    call,
    hook: async (fields = {}) =>
      (
        (
          await call('POST', '', {
            json: { url: receiver.url, token: receiver.options.secret, ...fields },
          })
        ).body as { id: number }
      ).id,
    test: (id, event = 'push_events') => call('POST', `/${id}/test/${event}`),
    delivered: async (count) => {
      await waitUntil(() => receiver.deliveries().length >= count, `${count} deliveries`)
      return receiver.deliveries().reverse()
    },
    events: async (id) => (await call('GET', `/${id}/events`)).body as Record<string, unknown>[],
    close: async () => {
      await Promise.all([server.close(), receiver.close()])
    },
  }
}

/** Polls a condition every few milliseconds, for at most a minute. */
export async function waitUntil(
  isMet: () => boolean | Promise<boolean>,
  what: string,
): Promise<void> {
  const end = Date.now() + 60_000
  while (Date.now() < end) {
    if (await isMet()) return
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  throw new Error(`timeout: ${what}`)
}

import { Receiver, type Delivery, type Mailbox } from '../../../conformance/wire/index.ts'
import { UsageError } from '../../print-error.ts'
import { onStopSignal } from '../../stop-signals.ts'
import { tokenState } from '../deliveries/headers.ts'
import { judgeDelivery } from '../deliveries/judge.ts'
import { exitOnClosedOutput } from '../deliveries/lines.ts'
import { receiverUrlOf, secretOf, shownUrl, timeoutOf } from '../deliveries/options.ts'
import { bodyOf } from './body.ts'
import { Forwarder } from './forward.ts'
import { ListenPrinter } from './print.ts'
import { DeliveryFolder } from './save.ts'

/** The options as commander returns them. */
interface Options {
  port?: string
  host?: string
  tls?: boolean
  token?: string
  save?: string
  status?: string
  forwardTo?: string
  timeout?: string
  insecure?: boolean
  json?: boolean
}

/**
 * Runs `touchstone listen`: starts a receiver, and prints its URL and each delivery until a signal.
 */
export async function run(options: Options): Promise<void> {
  exitOnClosedOutput()
  const { save, status = '200', json = false, forwardTo } = options
  const token = secretOf(options.token)
  const response = { status: statusOf(status) }
  const forwarder = newForwarder(options)
  const folder = save === undefined ? undefined : new DeliveryFolder(save, token)
  const receiver = await startReceiver(options)
  const printer = new ListenPrinter({ json, token })
  if (forwardTo !== undefined && isReachedAt(receiver, forwardTo)) {
    await receiver.close()
    throw new UsageError(
      `--forward-to is the address at which this command listens: ${shownUrl(forwardTo)}.\nNext: give one of the two another port.`,
    )
  }
  const mailbox = receiver.openCatchAll({ response, responder: forwarder?.respond })
  const stopListening = onSignal(() => {
    forwarder?.stop()
    return receiver.close()
  })
  printer.start({
    url: mailbox.url,
    tls: options.tls === true,
    ...(save === undefined ? {} : { save }),
    ...(forwardTo === undefined ? {} : { forwardTo: shownUrl(forwardTo) }),
  })
  const pending = new Set<Promise<void>>()
  for await (const delivery of arrivals(mailbox)) {
    const body = bodyOf(delivery)
    const judged = judgeDelivery({
      method: delivery.method,
      headers: delivery.headers,
      body,
      token: tokenState(delivery.headers, token),
    })
    const file = folder?.save(delivery, body, judged)
    const result = forwarder?.resultOf(delivery)
    if (result === undefined) {
      printer.delivery(delivery, judged, { file })
      continue
    }
    const printed = result.then(async (forwarded) => {
      // Waits until the receiver of this command has recorded the response to the sender.
      await new Promise(setImmediate)
      printer.delivery(delivery, judged, { file, forwarded })
      pending.delete(printed)
    })
    pending.add(printed)
  }
  await Promise.all(pending)
  printer.end(receiver.connectionErrors)
  stopListening()
}

/** Yields deliveries until the receiver closes. */
async function* arrivals(mailbox: Mailbox): AsyncGenerator<Delivery> {
  for (
    let delivery = await mailbox.next(Infinity);
    delivery !== undefined;
    delivery = await mailbox.next(Infinity)
  )
    yield delivery
}

async function startReceiver({
  port = '4040',
  host = '127.0.0.1',
  tls = false,
}: Options): Promise<Receiver> {
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535)
    throw new UsageError(`--port must be a port from 0 to 65535, not ${port}`)
  let number = 0
  try {
    return await Receiver.start({
      listen: `${host.includes(':') && !host.startsWith('[') ? `[${host}]` : host}:${port}`,
      tls,
      nextNumber: () => (number += 1),
    })
  } catch (error) {
    throw new UsageError(
      `${(error as Error).message}.\nNext: --port 0 uses any free port; --port and --host choose another address.`,
    )
  }
}

/** Returns undefined without --forward-to. Throws `UsageError`. */
function newForwarder({ forwardTo, timeout, insecure, status }: Options): Forwarder | undefined {
  if (forwardTo === undefined) {
    if (timeout !== undefined || insecure !== undefined)
      throw new UsageError(
        `--${timeout === undefined ? 'insecure' : 'timeout'} has an effect only together with --forward-to`,
      )
    return undefined
  }
  if (status !== undefined)
    throw new UsageError(
      '--status and --forward-to exclude each other: with --forward-to, the sender gets the response of that receiver',
    )
  return new Forwarder({
    url: receiverUrlOf('--forward-to', forwardTo),
    insecure: insecure === true,
    timeoutMs: timeoutOf('--timeout', timeout ?? '10s'),
  })
}

/** Whether a URL leads to this receiver, so that it would forward deliveries to itself forever. */
function isReachedAt(receiver: Receiver, url: string): boolean {
  const [own, other] = [new URL(receiver.origin), new URL(url)]
  const portOf = ({ port, protocol }: URL) => port || (protocol === 'https:' ? '443' : '80')
  const isLocal = ({ hostname }: URL) => /^(localhost|127\.|0\.0\.0\.0$|\[::1?\]$)/.test(hostname)
  return (
    portOf(own) === portOf(other) &&
    (own.hostname === other.hostname || (isLocal(own) && isLocal(other)))
  )
}

function statusOf(text: string): number {
  if (!/^[2-5]\d\d$/.test(text))
    throw new UsageError(`--status must be a status from 200 to 599, not ${text}`)
  return Number(text)
}

/**
 * Calls `close` on the first Ctrl-C, SIGTERM or SIGHUP, after which the summary is printed. Exits
 * immediately on the second. Returns a function that removes the listeners.
 */
function onSignal(close: () => Promise<void>): () => void {
  let isInterrupted = false
  const end = () => {
    if (isInterrupted) process.exit(130)
    isInterrupted = true
    void close()
  }
  return onStopSignal(end)
}

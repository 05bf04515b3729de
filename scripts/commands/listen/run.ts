import { Receiver, type Delivery, type Mailbox } from '../../../conformance/wire/index.ts'
import { UsageError } from '../../print-error.ts'
import { onStopSignal } from '../../stop-signals.ts'
import { tokenState } from '../deliveries/headers.ts'
import { judgeDelivery } from '../deliveries/judge.ts'
import { exitOnClosedOutput } from '../deliveries/lines.ts'
import { secretOf } from '../deliveries/options.ts'
import { bodyOf } from './body.ts'
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
  json?: boolean
}

/** `touchstone listen`: starts a receiver, and prints its URL and each delivery, until a signal. */
export async function run(options: Options): Promise<void> {
  exitOnClosedOutput()
  const { save, status = '200', json = false } = options
  const token = secretOf(options.token)
  const response = { status: statusOf(status) }
  const folder = save === undefined ? undefined : new DeliveryFolder(save, token)
  const receiver = await startReceiver(options)
  const printer = new ListenPrinter({ json, token })
  const mailbox = receiver.openCatchAll({ response })
  onSignal(() => receiver.close())
  printer.start({
    url: mailbox.url,
    tls: options.tls === true,
    ...(save === undefined ? {} : { save }),
  })
  for await (const delivery of arrivals(mailbox)) {
    const body = bodyOf(delivery)
    const judged = judgeDelivery({
      method: delivery.method,
      headers: delivery.headers,
      body,
      token: tokenState(delivery.headers, token),
    })
    printer.delivery(delivery, judged, folder?.save(delivery, body, judged))
  }
  printer.end(receiver.connectionErrors)
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
      number: () => (number += 1),
    })
  } catch (error) {
    throw new UsageError(
      `${(error as Error).message}.\nNext: --port 0 uses any free port; --port and --host choose another address.`,
    )
  }
}

function statusOf(text: string): number {
  if (!/^[2-5]\d\d$/.test(text))
    throw new UsageError(`--status must be a status from 200 to 599, not ${text}`)
  return Number(text)
}

/**
 * Calls `close` on the first Ctrl-C, SIGTERM or SIGHUP, after which the summary is printed. Exits
 * immediately on the second.
 */
function onSignal(close: () => Promise<void>): void {
  let isInterrupted = false
  const end = () => {
    if (isInterrupted) process.exit(130)
    isInterrupted = true
    void close()
  }
  onStopSignal(end)
}

import { createHmac, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { failureOf } from '../../deliveries/failure.ts'
import type { Header } from '../../deliveries/headers.ts'
import { send, type ConnectionAgents, type DeliveryResult } from '../../deliveries/send.ts'
import { maker, type DeliveryJob, type OutgoingDelivery } from './outgoing.ts'
import { written } from './shaping.ts'
import type { HookEvent } from './store.ts'

/** Sends what a job asks for, as often as was chosen, and remembers each attempt. Never rejects. */
export async function carryOut(
  job: DeliveryJob,
  agents: ConnectionAgents,
  signal: AbortSignal,
): Promise<void> {
  const {
    server: { choices, rules },
  } = job
  const made = maker(job)
  let attempt = 0
  for (let copy = 0; copy < choices.copies; copy += 1) {
    for (let retry = 0; retry <= choices.retries; retry += 1) {
      if (retry > 0)
        await sleep(rules.retryDelayMs * 2 ** (retry - 1), undefined, { signal, ref: false }).catch(
          () => {},
        )
      if (signal.aborted) return
      const acknowledged = rules.acknowledges(await once(job, made, (attempt += 1), agents, signal))
      job.hook.failures = acknowledged ? 0 : job.hook.failures + 1
      if (acknowledged) break
    }
  }
}

async function once(
  job: DeliveryJob,
  made: (attempt: number) => OutgoingDelivery,
  attempt: number,
  agents: ConnectionAgents,
  signal: AbortSignal,
): Promise<number | undefined> {
  const {
    server: { choices, rules, delivering, timers },
  } = job
  let outgoing: OutgoingDelivery | undefined
  let sent: DeliveryResult
  try {
    const right = made(attempt)
    outgoing = delivering === undefined ? right : await delivering(right)
    if (outgoing === undefined) {
      remember(job, right, attempt, {
        headers: {},
        body: '',
        durationMs: 0,
        failure: { reason: 'aborted', message: 'The delivery was held back' },
      })
      return undefined
    }
    const { url, method, rejectUnauthorized } = outgoing
    const body = outgoing.raw ?? written(outgoing.body, choices)
    const headers =
      choices.extraHeaders === 'signature'
        ? [...outgoing.headers, signatureOf(body)]
        : outgoing.headers
    sent = await send(
      { url, headers, method, rejectUnauthorized, body },
      {
        ...(choices.deliveryKeepAlive ? { agents } : {}),
        timeoutMs: rules.deliveryTimeoutMs,
        timers,
        chunked: choices.deliveryChunked,
        headerCase: choices.deliveryHeaderCase,
        signal,
      },
    )
  } catch (error) {
    sent = { headers: {}, body: '', durationMs: 0, failure: failureOf(error) }
  }
  remember(job, outgoing, attempt, sent)
  return sent.failure === undefined ? sent.status : undefined
}

/** A header that signs the body, with a key of the service's own. */
function signatureOf(body: string): Header {
  return [
    'X-Hook-Signature',
    `sha256=${createHmac('sha256', 'touchstone').update(body).digest('hex')}`,
  ]
}

/** Remembers a delivery for which there was no room. */
export function rememberOverflow(job: Omit<DeliveryJob, 'done'>): void {
  remember(job, undefined, 0, {
    headers: {},
    body: '',
    durationMs: 0,
    failure: { reason: 'aborted', message: 'Too many deliveries of this hook are waiting' },
  })
}

function remember(
  { server, hook, trigger, event }: Omit<DeliveryJob, 'done'>,
  outgoing: OutgoingDelivery | undefined,
  attempt: number,
  sent: DeliveryResult,
): void {
  const { status = null, headers, body, durationMs, failure } = sent
  const entry: HookEvent = {
    id: randomUUID(),
    trigger,
    event,
    attempt,
    url: outgoing?.url ?? hook.url,
    created_at: new Date().toISOString(),
    request_headers: Object.fromEntries(
      (outgoing?.headers ?? []).filter(([name]) => name.toLowerCase() !== 'x-hook-token'),
    ),
    response_status: status,
    response_headers: headers,
    response_body: body,
    duration: Math.round(durationMs * 10) / 10,
    error: failure === undefined ? null : `${failure.reason}: ${failure.message}`,
  }
  server.store.remember(hook, entry)
}

import { createHmac, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { failureOf } from '../../deliveries/failure.ts'
import type { Header } from '../../deliveries/headers.ts'
import { send, type ConnectionAgents, type DeliveryResult } from '../../deliveries/send.ts'
import { newDeliveryFactory, type DeliveryJob, type OutgoingDelivery } from './outgoing.ts'
import { serialisePayload } from './shaping.ts'
import type { HookEvent } from './store.ts'

/**
 * Sends the delivery of a job, with the copies and retries that the choices require, and records
 * each attempt. Never rejects.
 */
export async function sendAttempts(
  job: DeliveryJob,
  agents: ConnectionAgents,
  signal: AbortSignal,
): Promise<void> {
  const {
    server: { choices, rules },
  } = job
  const createDelivery = newDeliveryFactory(job)
  let attempt = 0
  for (let copy = 0; copy < choices.copies; copy += 1) {
    for (let retry = 0; retry <= choices.retries; retry += 1) {
      if (retry > 0)
        await sleep(rules.retryDelayMs * 2 ** (retry - 1), undefined, { signal, ref: false }).catch(
          () => {},
        )
      if (signal.aborted) return
      const acknowledged = rules.isAcknowledgement(
        await sendOnce(job, createDelivery, (attempt += 1), agents, signal),
      )
      job.hook.failures = acknowledged ? 0 : job.hook.failures + 1
      if (acknowledged) break
    }
  }
}

async function sendOnce(
  job: DeliveryJob,
  createDelivery: (attempt: number) => OutgoingDelivery,
  attempt: number,
  agents: ConnectionAgents,
  signal: AbortSignal,
): Promise<number | undefined> {
  const {
    server: { choices, rules, beforeDelivery, timers },
  } = job
  let outgoing: OutgoingDelivery | undefined
  let result: DeliveryResult
  try {
    const original = createDelivery(attempt)
    outgoing = beforeDelivery === undefined ? original : await beforeDelivery(original)
    if (outgoing === undefined) {
      recordAttempt(job, original, attempt, {
        headers: {},
        body: '',
        durationMs: 0,
        failure: { reason: 'aborted', message: 'The delivery was suppressed' },
      })
      return undefined
    }
    const { url, method, rejectUnauthorized } = outgoing
    const body = outgoing.raw ?? serialisePayload(outgoing.body, choices)
    const headers =
      choices.extraHeaders === 'signature'
        ? [...outgoing.headers, signatureOf(body)]
        : outgoing.headers
    result = await send(
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
    result = { headers: {}, body: '', durationMs: 0, failure: failureOf(error) }
  }
  recordAttempt(job, outgoing, attempt, result)
  return result.failure === undefined ? result.status : undefined
}

/** A header with an HMAC of the body. The key is a constant of this service. */
function signatureOf(body: string): Header {
  return [
    'X-Hook-Signature',
    `sha256=${createHmac('sha256', 'touchstone').update(body).digest('hex')}`,
  ]
}

/** Records a delivery that was not sent because the queue was full. */
export function recordOverflow(job: Omit<DeliveryJob, 'done'>): void {
  recordAttempt(job, undefined, 0, {
    headers: {},
    body: '',
    durationMs: 0,
    failure: { reason: 'aborted', message: 'Too many deliveries of this hook are waiting' },
  })
}

function recordAttempt(
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
  server.store.record(hook, entry)
  server.onDelivery?.({
    server: 'hooks',
    event,
    hook,
    attempt,
    url: entry.url,
    status,
    ms: durationMs,
    body,
    failure: entry.error ?? undefined,
  })
}

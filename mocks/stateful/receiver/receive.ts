import { setTimeout as sleep } from 'node:timers/promises'
import { isObject, jsonOf } from '../http/body.ts'
import type { Reply } from '../http/reply.ts'
import type { ReceiverCall, ReceiverContext } from './call.ts'
import type { Received } from './received.ts'
import { ReceiverRefusal } from './refusal.ts'

/**
 * Receives a delivery: checks the token first, queues the delivery for processing, and responds.
 */
export async function receiveDelivery(call: ReceiverCall): Promise<Reply> {
  const { server, headers } = call
  const { choices, rules, options } = server
  const isTrusted = rules.acceptsToken(headers['x-hook-token'], options.secret)
  if (!isTrusted && choices.onMismatch === 'refuse')
    throw new ReceiverRefusal(
      'token-mismatch',
      choices.mismatchStatus,
      'X-Hook-Token is missing or wrong',
    )
  const bytes = await call.bytes()
  if (rules.responseDelayMs > 0) await sleep(rules.responseDelayMs, undefined, { ref: false })
  if (!isTrusted) return acknowledgement(server)
  const payload = jsonOf(bytes)?.value
  if (!isObject(payload) && choices.malformed !== 'acknowledge')
    throw new ReceiverRefusal('body-not-object', choices.malformed, 'The body is not a JSON object')
  if (!rules.isKnownEvent(headers['x-hook-event']) && choices.unknownEvent !== 'acknowledge')
    throw new ReceiverRefusal('event-unknown', choices.unknownEvent, 'This event is unknown')
  if (server.work.length >= rules.queueLimit)
    throw new ReceiverRefusal('queue-full', 503, 'Too many deliveries are waiting')
  acceptDelivery(server, headers, bytes, payload)
  return acknowledgement(server)
}

function acceptDelivery(
  { accepted, work, rules, choices }: ReceiverContext,
  headers: ReceiverCall['headers'],
  bytes: Buffer,
  payload: unknown,
): void {
  const { 'x-hook-token': _secret, ...headersWithoutSecret } = headers
  const delivery: Received = {
    event: headers['x-hook-event'] ?? null,
    object_kind:
      isObject(payload) && typeof payload['object_kind'] === 'string'
        ? payload['object_kind']
        : null,
    received_at: new Date().toISOString(),
    processed_at: null,
    bytes: bytes.length,
    headers: headersWithoutSecret as Record<string, string>,
    payload: bytes.length > rules.keptBytes ? null : (payload ?? null),
  }
  const key = headers['idempotency-key']
  if (
    choices.duplicates === 'process once' &&
    key !== undefined &&
    accepted.newestFirst().some((other) => other.headers['idempotency-key'] === key)
  )
    return
  accepted.push(delivery)
  work.add(delivery, rules.workMs)
}

function acknowledgement({ choices: { ackStatus: status, ackBody } }: ReceiverContext): Reply {
  if (status === 204 || ackBody === 'empty') return { status }
  return ackBody === 'json'
    ? { status, body: { received: true } }
    : { status, headers: { 'Content-Type': 'text/plain' }, raw: 'ok' }
}

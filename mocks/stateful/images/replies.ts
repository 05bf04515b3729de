import { failureHeaders, noteIgnoredPreference, requestedStatus } from '../../serving/prefer.ts'
import { Refusal } from '../http/reply.ts'
import type { ImagesCall, ImagesContext, ImagesReply } from './call.ts'
import { ImagesRefusal, type ImagesReason } from './refusal.ts'
import type { ImagesChoices } from './choices.ts'

const ownCodes: Record<number, number> = {
  400: 10000,
  401: 10001,
  403: 10003,
  404: 10004,
  409: 10009,
  413: 10013,
  429: 10029,
  500: 10050,
  502: 10052,
}

const forcedMessages = {
  400: 'The request is not valid',
  401: 'The API token is missing or not valid',
  403: 'The token lacks the permission for this',
  404: 'Not found',
  413: 'The file is too large',
  429: 'Too many requests, try again later',
  500: 'Internal server error',
  502: 'The image could not be transformed',
} as const

/** The statuses that clients can request. */
export const forcedStatuses: readonly string[] = Object.keys(forcedMessages)

/** Wraps a result in the success envelope. */
export function success(call: ImagesCall, result: unknown): ImagesReply {
  const lists = call.server.choices.successLists
  if (lists === 'absent') return { status: 200, body: { success: true, result } }
  if (lists === 'errors') return { status: 200, body: { success: true, result, errors: [] } }
  return { status: 200, body: { success: true, result, errors: [], messages: [] } }
}

/** The failure envelope. The default code depends on the status. */
export function failure(
  choices: ImagesChoices,
  status: number,
  message: string,
  { code, reason }: { code?: number | undefined; reason?: ImagesReason | undefined } = {},
): ImagesReply {
  const named = choices.errorCodes === 'named'
  const codeSent = named
    ? (code ?? (status === 400 ? 5400 : (ownCodes[status] ?? 10000 + status)))
    : (ownCodes[status] ?? 10000 + status)
  const errors = [{ code: codeSent, message }]
  return {
    status,
    reason,
    body:
      choices.failureResult === 'null'
        ? { success: false, errors, messages: [], result: null }
        : { success: false, errors },
  }
}

/** Turns a thrown error into a failure. Anything but a refusal is a bug of this server. */
export function failureOf(choices: ImagesChoices, error: unknown): ImagesReply {
  if (error instanceof ImagesRefusal) return failure(choices, error.status, error.message, error)
  if (error instanceof Refusal)
    return failure(choices, error.status, error.message, { code: error.code })
  const reason = error instanceof Error ? error.message : String(error)
  return failure(choices, 500, `Internal server error: ${reason}`)
}

/**
 * The failure that the caller requested with `Prefer: code=…`, if the contract defines this status.
 */
export function forcedFailure(call: ImagesCall): ImagesReply | undefined {
  const { prefer } = call.headers
  if (prefer === undefined) return undefined
  const forced = forcedMessageOf(prefer)
  if (forced === undefined) {
    noteIgnoredPreference(call.request, prefer, forcedStatuses)
    return undefined
  }
  return {
    ...failure(call.server.choices, forced.status, forced.message),
    // Upload and delivery URLs need no token.
    headers: failureHeaders(
      forced.status,
      call.host === 'account' || call.host === 'batch' ? 'Bearer' : undefined,
    ),
  }
}

/** The status in a header `Prefer: code=…`, with a message, if the contract defines this status. */
export function forcedMessageOf(
  prefer: string | undefined,
): { status: keyof typeof forcedMessages; message: string } | undefined {
  const status = requestedStatus(prefer)
  return status !== undefined && Object.hasOwn(forcedMessages, status)
    ? { status: status as keyof typeof forcedMessages, message: forcedMessages[status as 400] }
    : undefined
}

const refusals = {
  401: ['unauthorized', 'The API token is missing or not valid'],
  403: ['permission-missing', 'The token lacks the permission to edit images'],
  404: ['account-unknown', 'There is no such account'],
} as const

/** The refusal of a token; undefined if the token is accepted. */
export function refusalOfToken(call: ImagesCall): ImagesReply | undefined {
  const { choices, rules, roleOf }: ImagesContext = call.server
  const access = rules.checkAccess(roleOf(call.headers['authorization']), call.host)
  if (access === true) return undefined
  const status =
    access === 'foreign'
      ? choices.foreignTokenStatus
      : access === 'other account'
        ? choices.otherAccountStatus
        : access
  const [reason, message] = refusals[status]
  const reply = failure(choices, status, message, { reason })
  if (status === 401) reply.headers = failureHeaders(status, 'Bearer')
  return reply
}

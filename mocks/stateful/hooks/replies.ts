import { flags } from '../../deliveries/events.ts'
import { failureHeaders, noteIgnoredPreference, requestedStatus } from '../../serving/prefer.ts'
import { Refusal, type Reply } from '../http/reply.ts'
import type { HooksCall } from './call.ts'
import type { HooksChoices } from './choices.ts'
import { HooksRefusal, type HooksReason } from './refusal.ts'
import type { Hook } from './store.ts'

const forcedMessages: Record<number, string> = {
  400: 'The request is not valid',
  401: 'The access token is missing or not valid',
  403: 'The token lacks the permission for this',
  404: 'Not found',
  422: 'The request cannot be processed',
  429: 'Too many requests, try again later',
}

/** The response for a failure. The contract does not define the body of such a response. */
export function failure(
  choices: HooksChoices,
  status: number,
  message: string,
  reason?: HooksReason,
): Reply {
  if (choices.failureBody === 'empty') return { status, reason }
  return {
    status,
    reason,
    body: choices.failureBody === 'message' ? { message } : { error: { status, detail: message } },
  }
}

/** Turns a thrown error into a failure. Anything but a refusal is a bug of this server. */
export function failureOf(choices: HooksChoices, error: unknown): Reply {
  if (error instanceof HooksRefusal)
    return {
      ...failure(choices, error.status, error.message, error.reason),
      ...(error.reason === 'queue-full' ? { headers: failureHeaders(error.status) } : {}),
    }
  if (error instanceof Refusal) return failure(choices, error.status, error.message)
  return failure(
    choices,
    500,
    `Internal server error: ${error instanceof Error ? error.message : String(error)}`,
  )
}

/**
 * The failure that the client requested with `Prefer: code=…`; undefined if it requested none, or a
 * status that is not in `forcedMessages`.
 */
export function forcedFailure({ headers, server, request }: HooksCall): Reply | undefined {
  const { prefer } = headers
  const status = requestedStatus(prefer)
  const message = status === undefined ? undefined : forcedMessages[status]
  if (status === undefined || message === undefined) {
    noteIgnoredPreference(request, prefer, Object.keys(forcedMessages))
    return undefined
  }
  return { ...failure(server.choices, status, message), headers: failureHeaders(status) }
}

/** The refusal of a token; undefined if the token is accepted. */
export function refusalOfToken({
  headers,
  server: { choices, rules, options },
}: HooksCall): Reply | undefined {
  if (rules.acceptsToken(headers['private-token'], options.token)) return undefined
  return failure(
    choices,
    choices.unauthorizedStatus,
    'The access token is missing or not valid',
    'unauthorized',
  )
}

/** The record of a hook in the API. It does not contain the secret. */
export function recordOf(hook: Hook): Record<string, unknown> {
  const { id, project, url, enable_ssl_verification, createdAt } = hook
  return {
    id,
    project_id: /^\d{1,15}$/.test(project) ? Number(project) : project,
    url,
    ...Object.fromEntries(flags.map((flag) => [flag, hook[flag]])),
    enable_ssl_verification,
    created_at: new Date(createdAt).toISOString(),
  }
}

/** The response to the creation of a hook. */
export function creationReply({ server }: HooksCall, hook: Hook): Reply {
  const { choices, url } = server
  const status = choices.createdStatus
  if (choices.record !== 'location')
    return { status, body: choices.record === 'nested' ? { hook: recordOf(hook) } : recordOf(hook) }
  const path = `${new URL(url).pathname}/projects/${encodeURIComponent(hook.project)}/hooks/${hook.id}`
  return { status, headers: { Location: path } }
}

import { NotApplicable } from '../../../engine/index.ts'
import type { McpExchange } from '../../../wire/index.ts'
import type { Session } from './client-session.ts'
import type { NamedCall } from './named-calls.ts'
import { arrayOf, jsonOf } from './results.ts'
import { hasFormats } from './tool.ts'

/**
 * Whether the tool is listed without the argument `response_format`. Its results then have only one
 * format, and a result in another format proves nothing.
 */
export function lacksFormats({ tools }: Session, { tool }: Pick<NamedCall, 'tool'>): boolean {
  const listed = tools.find(({ name }) => name === tool)
  return listed !== undefined && !hasFormats(listed)
}

/** The argument that requests a format. Empty if the tool does not declare it. */
export const formatArgument = (
  session: Session,
  call: Pick<NamedCall, 'tool'>,
  format: 'json' | 'markdown',
): Readonly<Record<string, unknown>> =>
  lacksFormats(session, call) ? {} : { response_format: format }

/** Ends the check as not applicable if the tool has no argument `response_format`. */
export function requireFormats(session: Session, call: Pick<NamedCall, 'tool'>): void {
  if (lacksFormats(session, call))
    throw new NotApplicable(`${call.tool} has no argument response_format`)
}

/**
 * Ends the check as not applicable if a result is not JSON, and the tool has no argument with which
 * a client can request JSON.
 */
export function requireJsonIfDeclared(
  session: Session,
  call: Pick<NamedCall, 'tool'>,
  exchange: McpExchange,
): void {
  if (!hasJson(exchange) && lacksFormats(session, call))
    throw new NotApplicable(`${call.tool} has no argument response_format, and returns no JSON`)
}

/** Whether a result contains a JSON object or array. */
export const hasJson = (exchange: McpExchange): boolean =>
  jsonOf(exchange) !== undefined || arrayOf(exchange) !== undefined

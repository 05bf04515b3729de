import type { AuditEntry } from '../audit.ts'
import { isObject } from '../http/body.ts'
import type { ToolsContext, ToolsSession, ToolCall } from './call.ts'
import { newFailureResult } from './kit/results.ts'
import { classifyFailure, UpstreamFailure, type ToolFailure } from './kit/failures.ts'
import { invalidParams, JsonRpcError, type ToolResult } from './protocol.ts'
import { newClientMessages, type CallChannel } from './client-messages.ts'

/** The maximum length of a tool's name in the audit log; callers may send any string. */
const maxNameLength = 128

/**
 * Handles `tools/call`. Throws only JSON-RPC errors. If a tool fails, returns a result that reports
 * the failure.
 */
export async function callTool(
  context: ToolsContext,
  session: ToolsSession,
  params: Record<string, unknown>,
  channel: CallChannel,
  signal: AbortSignal,
): Promise<ToolResult> {
  const { choices, deviations, rules } = context
  const { name, arguments: rawArguments = {} } = params
  const tool = context.tools.find((one) => one.name === name)
  const record = (outcome: AuditEntry['outcome'], reason?: string) =>
    context.audit.record({
      event: 'tool call',
      outcome,
      tool: String(name).slice(0, maxNameLength),
      transport: session.transport,
      user: channel.user?.login,
      client: channel.user?.client,
      reason,
    })
  if (tool === undefined) {
    record('refused', 'unknown tool')
    const text = `Unknown tool: ${String(name)}`
    if (choices.unknownTool === 'result' && typeof name === 'string')
      return { content: [{ type: 'text', text: `Error: ${text}` }], isError: true }
    throw new JsonRpcError(invalidParams, text)
  }
  const call: ToolCall = {
    tool,
    rawArguments: unnestArguments(rawArguments, choices.nestedParams !== 'no'),
    args: {},
    session,
    server: context,
    client: newClientMessages(context, session, channel),
    user: channel.user,
    signal,
  }

  /** Why the tool did not run; undefined if it ran. */
  let refusal: string | undefined
  const run = async () => call.tool.run(call)
  const runIfPermitted = () => {
    if (!rules.permitsTool(call.tool, call.user)) {
      refusal = 'insufficient_scope'
      // The caller gets the same result as for a 403 from the upstream, although the upstream
      // received no request.
      throw new UpstreamFailure({ kind: 'status', status: 403 })
    }
    return validateAndRun()
  }
  const validateAndRun = (): Promise<ToolResult> | ToolResult => {
    const found = rules.validate(call.tool, call.rawArguments, choices)
    if ('problems' in found) {
      refusal = 'invalid input'
      const text = `Invalid input for ${call.tool.name}: ${found.problems.join('; ')}`
      if (choices.invalidInput === 'error') throw new JsonRpcError(invalidParams, text)
      return { content: [{ type: 'text', text: `Error: ${text}` }], isError: true }
    }
    call.args = found.args
    return deviations.around === undefined ? run() : deviations.around(call, run)
  }
  try {
    const result = await (deviations.aroundValidation === undefined
      ? runIfPermitted()
      : deviations.aroundValidation(call, async () => runIfPermitted()))
    if (refusal !== undefined) record('refused', refusal)
    else record(result.isError === true ? 'failed' : 'done')
    return result
  } catch (error) {
    const failure = classifyFailure(error)
    if (refusal !== undefined) record('refused', refusal)
    else record('failed', signal.aborted ? 'cancelled' : nameOfFailure(failure))
    if (error instanceof JsonRpcError) throw error
    return newFailureResult(call, rules.failureText(failure, choices))
  }
}

function nameOfFailure(failure: ToolFailure): string {
  switch (failure.kind) {
    case 'status':
      return `status ${failure.status}`
    case 'timeout':
      return 'timeout'
    case 'unexpected':
      return failure.type
  }
}

/**
 * Returns the arguments of a tool. If `isNested` is false, they are `rawArguments`. If it is true,
 * they are the value of `params`, which must be the only member of `rawArguments`.
 */
function unnestArguments(rawArguments: unknown, isNested: boolean): unknown {
  if (!isNested) return rawArguments
  return isObject(rawArguments) && Object.keys(rawArguments).every((name) => name === 'params')
    ? rawArguments['params']
    : undefined
}

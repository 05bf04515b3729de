import { isObject } from '../http/body.ts'
import type { ToolsContext, ToolsSession, ToolCall } from './call.ts'
import { newFailureResult } from './kit/results.ts'
import { classifyFailure, UpstreamFailure } from './kit/failures.ts'
import { invalidParams, JsonRpcError, type ToolResult } from './protocol.ts'
import { newClientMessages, type CallChannel } from './client-messages.ts'

/** Handles `tools/call`. Throws only JSON-RPC errors; a failure of a tool becomes its result. */
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
  if (tool === undefined) {
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

  const run = async () => call.tool.run(call)
  const runIfPermitted = () => {
    if (!rules.permits(call.tool, call.user))
      throw new UpstreamFailure({ kind: 'status', status: 403 })
    return validate()
  }
  const validate = (): Promise<ToolResult> | ToolResult => {
    const found = rules.validate(call.tool, call.rawArguments, choices)
    if ('problems' in found) {
      const text = `Invalid input for ${call.tool.name}: ${found.problems.join('; ')}`
      if (choices.invalidInput === 'error') throw new JsonRpcError(invalidParams, text)
      return { content: [{ type: 'text', text: `Error: ${text}` }], isError: true }
    }
    call.args = found.args
    return deviations.around === undefined ? run() : deviations.around(call, run)
  }
  try {
    return await (deviations.before === undefined
      ? runIfPermitted()
      : deviations.before(call, async () => runIfPermitted()))
  } catch (error) {
    if (error instanceof JsonRpcError) throw error
    return newFailureResult(call, rules.failureText(classifyFailure(error), choices))
  }
}

/** Returns the arguments without the nesting in `params`, which must be the only member. */
function unnestArguments(rawArguments: unknown, isNested: boolean): unknown {
  if (!isNested) return rawArguments
  return isObject(rawArguments) && Object.keys(rawArguments).every((name) => name === 'params')
    ? rawArguments['params']
    : undefined
}

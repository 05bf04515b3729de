import { isObject } from '../http/body.ts'
import type { ToolsContext, ToolsSession, ToolCall } from './call.ts'
import { failureAnswer } from './kit/answers.ts'
import { failureOf, UpstreamFailure } from './kit/failures.ts'
import { invalidParams, JsonRpcError, type ToolResult } from './protocol.ts'
import { talkOf, type CallChannel } from './talk.ts'

/** Answers `tools/call`. Only errors of JSON-RPC are thrown; whatever fails in a tool is told in its answer. */
export async function callTool(
  context: ToolsContext,
  session: ToolsSession,
  params: Record<string, unknown>,
  line: CallChannel,
  signal: AbortSignal,
): Promise<ToolResult> {
  const { choices, places, rules } = context
  const { name, arguments: given = {} } = params
  const tool = context.tools.find((one) => one.name === name)
  if (tool === undefined) {
    const text = `Unknown tool: ${String(name)}`
    if (choices.unknownTool === 'result' && typeof name === 'string')
      return { content: [{ type: 'text', text: `Error: ${text}` }], isError: true }
    throw new JsonRpcError(invalidParams, text)
  }
  const call: ToolCall = {
    tool,
    given: unfolded(given, choices.nestedParams !== 'no'),
    args: {},
    session,
    server: context,
    talk: talkOf(context, session, line),
    user: line.user,
    signal,
  }

  const run = async () => call.tool.run(call)
  const permitted = () => {
    if (!rules.permits(call.tool, call.user))
      throw new UpstreamFailure({ kind: 'status', status: 403 })
    return validate()
  }
  const validate = (): Promise<ToolResult> | ToolResult => {
    const found = rules.validate(call.tool, call.given, choices)
    if ('problems' in found) {
      const text = `Invalid input for ${call.tool.name}: ${found.problems.join('; ')}`
      if (choices.invalidInput === 'error') throw new JsonRpcError(invalidParams, text)
      return { content: [{ type: 'text', text: `Error: ${text}` }], isError: true }
    }
    call.args = found.args
    return places.around === undefined ? run() : places.around(call, run)
  }
  try {
    return await (places.before === undefined
      ? permitted()
      : places.before(call, async () => permitted()))
  } catch (error) {
    if (error instanceof JsonRpcError) throw error
    return failureAnswer(call, rules.failure(failureOf(error), choices))
  }
}

/** The arguments, taken out of the member in which they are nested. Beside it there may be nothing. */
function unfolded(given: unknown, isNested: boolean): unknown {
  if (!isNested) return given
  return isObject(given) && Object.keys(given).every((name) => name === 'params')
    ? given['params']
    : undefined
}

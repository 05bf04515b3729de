import { NotApplicable } from '../../../engine/index.ts'
import type { McpExchange } from '../../../wire/index.ts'
import type { NamedCall } from './named-calls.ts'
import { firstTransport, isRepeatable, makePlainCalls } from './plain-calls.ts'
import { isSuccess } from './results.ts'
import { hasFormats } from './tool.ts'
import type { ToolsWorld } from './world.ts'

/** The results of the same call in JSON and in markdown. */
export interface FormattedCall {
  readonly call: NamedCall
  /** Two results in JSON, because a server may wrongly keep the format of an earlier call. */
  readonly json: readonly McpExchange[]
  readonly markdown: McpExchange
  /** The result without `response_format`, right after a result in JSON on the same session. */
  readonly byDefault: McpExchange
}

/**
 * Makes each call that may be repeated in both formats, if its tool has the field
 * `response_format`. The calls are made once in a run, and all checks share them. Ends the check as
 * not applicable if no tool qualifies.
 */
export const makeFormattedCalls = (world: ToolsWorld): Promise<readonly FormattedCall[]> =>
  world.shared('calls in both formats', async (common) => {
    const transport = await firstTransport(common)
    const plain = (await makePlainCalls(common, transport)).filter(
      (one) => hasFormats(one.tool) && isRepeatable(common.target, one) && isSuccess(one.exchange),
    )
    if (plain.length === 0)
      throw new NotApplicable('no tool that can be called twice has response_format')
    // Opens a separate session, because another check may use another format on the shared session.
    const session = await common.openSession(transport)
    const found: FormattedCall[] = []
    for (const { call } of plain) {
      const { response_format: _, ...args } = call.arguments
      const request = (format?: string) =>
        session.call(call.tool, format === undefined ? args : { ...args, response_format: format })
      const first = await request('json')
      const byDefault = await request()
      found.push({
        call,
        json: [first, await request('json')],
        markdown: await request('markdown'),
        byDefault,
      })
    }
    await session.connection.close()
    return found
  })

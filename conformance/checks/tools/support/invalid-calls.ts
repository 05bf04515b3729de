import { Blocked, type Expectation, NotApplicable, NotCovered } from '../../../engine/index.ts'
import type { McpExchange } from '../../../wire/index.ts'
import { type BreachKind, type Negative, negativesOf } from './negatives/index.ts'
import { callableTools, type PlainCall } from './plain-calls.ts'
import { isRefusal, isSuccess } from './results.ts'
import type { Session } from './client-session.ts'
import { fieldsOf } from './tool.ts'
import type { ToolsWorld } from './world.ts'
import type { ToolsNeed } from '../target.ts'

/** By field of the search tool, the constraint that a separate requirement covers. */
const coveredElsewhere: Readonly<Record<string, BreachKind>> = {
  response_format: 'value',
  limit: 'range',
  offset: 'range',
}

/** Generates invalid inputs for every tool that the suite may call, once for each list of tools. */
export const negativesOfSession = (
  world: ToolsWorld,
  session: Session,
): Promise<readonly Negative[]> =>
  world.shared(`negatives of ${JSON.stringify(session.definitions)}`, async ({ target }) =>
    callableTools(target, session)
      .flatMap(({ call, tool }) => (tool === undefined ? [] : negativesOf(tool, call.arguments)))
      .filter(
        ({ tool, kind, field }) => tool !== target.search?.tool || coveredElsewhere[field] !== kind,
      ),
  )

/** Whether the contrast succeeded: a valid call of the same tool. */
export const isContrastSuccessful = (calls: readonly PlainCall[], { tool }: Negative): boolean =>
  calls.some(({ call, exchange }) => call.tool === tool && isSuccess(exchange))

export interface InvalidCall {
  negative: Negative
  exchange: McpExchange
}

export const describeCall = ({
  negative: { tool, field, description },
  exchange,
}: InvalidCall): string => `${tool} with ${field} (${description}): ${exchange.summary}`

export const allRefused: Expectation<readonly InvalidCall[]> = {
  name: 'is refused',
  expected: 'an error, or a result that reports one',
  test: (calls) => calls.every(({ exchange }) => isRefusal(exchange)),
  received: (calls) =>
    calls
      .filter(({ exchange }) => !isRefusal(exchange))
      .map(describeCall)
      .slice(0, 8)
      .join('; '),
}

/** Returns the error to throw if a check has no invalid input to send. */
export function reasonNothingTried(
  { tools }: Session,
  calls: readonly PlainCall[],
  negatives: readonly Negative[],
): Error {
  const failed = calls.find(({ isNamed, exchange }) => isNamed && !isSuccess(exchange))
  if (negatives.length > 0 || failed !== undefined)
    return new Blocked(
      'TOOL-CALL-01',
      failed?.exchange.summary ?? 'no call that has invalid variants succeeds',
    )
  const uncalled = tools.some(
    (tool) =>
      !calls.some(({ call }) => call.tool === tool.name) &&
      Object.keys(fieldsOf(tool).properties).length > 0,
  )
  return uncalled
    ? new NotCovered<ToolsNeed>('the suite may not call any tool with such a constraint', [
        'tools.calls',
      ])
    : new NotApplicable('no tool has such a constraint')
}

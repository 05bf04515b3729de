import { Blocked, type Expectation, NotApplicable, NotCovered } from '../../../engine/index.ts'
import type { McpExchange } from '../../../wire/index.ts'
import { type BreachKind, type Negative, negativesOf } from './negatives/index.ts'
import { callableTools, type PlainCall } from './plain-calls.ts'
import { isRefusal, isSuccess } from './results.ts'
import type { Session } from './client-session.ts'
import { fieldsOf } from './tool.ts'
import type { ToolsWorld } from './world.ts'
import type { ToolsNeed } from '../target.ts'

/** What rows of their own say of the search: the bounds of its common fields. */
const coveredElsewhere: Readonly<Record<string, BreachKind>> = {
  response_format: 'value',
  limit: 'range',
  offset: 'range',
}

/** Input that has to be refused, of every tool that may be called; made up once. */
export const negativesOfSession = (
  world: ToolsWorld,
  session: Session,
): Promise<readonly Negative[]> =>
  world.shared(`negatives of ${JSON.stringify(session.definitions)}`, async ({ access }) =>
    callableTools(access, session)
      .flatMap(({ call, tool }) => (tool === undefined ? [] : negativesOf(tool, call.arguments)))
      .filter(
        ({ tool, kind, field }) => tool !== access.search?.tool || coveredElsewhere[field] !== kind,
      ),
  )

/** Whether the same call works but for what makes it invalid. */
export const isContrastSuccessful = (made: readonly PlainCall[], { tool }: Negative): boolean =>
  made.some(({ call, exchange }) => call.tool === tool && isSuccess(exchange))

export interface InvalidCall {
  negative: Negative
  exchange: McpExchange
}

export const describeCall = ({
  negative: { tool, field, description },
  exchange,
}: InvalidCall): string => `${tool} with ${field} of ${description}: ${exchange.summary}`

export const allRefused: Expectation<readonly InvalidCall[]> = {
  name: 'is refused',
  expected: 'an error, or a result that tells of one',
  test: (tried) => tried.every(({ exchange }) => isRefusal(exchange)),
  received: (tried) =>
    tried
      .filter(({ exchange }) => !isRefusal(exchange))
      .map(describeCall)
      .slice(0, 8)
      .join('; '),
}

/** Says why a check has nothing to try. */
export function reasonNothingTried(
  { tools }: Session,
  made: readonly PlainCall[],
  some: readonly Negative[],
): Error {
  const failed = made.find(({ isNamed, exchange }) => isNamed && !isSuccess(exchange))
  if (some.length > 0 || failed !== undefined)
    return new Blocked(
      'TOOL-CALL-01',
      failed?.exchange.summary ?? 'no call that could be made invalid works',
    )
  const uncalled = tools.some(
    (tool) =>
      !made.some(({ call }) => call.tool === tool.name) &&
      Object.keys(fieldsOf(tool).properties).length > 0,
  )
  return uncalled
    ? new NotCovered<ToolsNeed>('no tool that may be called has such a constraint', ['tools.calls'])
    : new NotApplicable('no tool has such a constraint')
}

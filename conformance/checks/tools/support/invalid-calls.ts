import { Blocked, type Expectation, NotApplicable, NotCovered } from '../../../engine/index.ts'
import type { McpExchange } from '../../../wire/index.ts'
import { type BreachKind, type Negative, negativesOf, convertibleOf } from './negatives/index.ts'
import { callableTools, type PlainCall } from './plain-calls.ts'
import {
  expresses,
  invalidAuthentication,
  noPermission,
  nothingFound,
  rateLimit,
} from './meanings.ts'
import { isRefusal, isSuccess, textOf } from './results.ts'
import type { Session } from './client-session.ts'
import { fieldsOf } from './tool.ts'
import type { ToolsWorld } from './world.ts'
import type { ToolsNeed } from '../target.ts'

/** For each of these fields of the search tool, the constraint that another requirement covers. */
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

/** Generates inputs with values that some validators convert, for every tool to call. */
export const convertibleInputs = ({ target }: ToolsWorld, session: Session): readonly Negative[] =>
  callableTools(target, session).flatMap(({ call, tool }) =>
    tool === undefined ? [] : convertibleOf(tool, call.arguments),
  )

/** Whether a valid call of the same tool succeeded, so that a refusal proves something. */
export const isContrastSuccessful = (calls: readonly PlainCall[], { tool }: Negative): boolean =>
  calls.some(({ call, exchange }) => call.tool === tool && isSuccess(exchange))

/**
 * Whether a call was refused because of its input: an error with the code for invalid parameters,
 * or a result that reports invalid input in usual words, and not another failure.
 */
export const isInputRefusal = (exchange: McpExchange): boolean =>
  exchange.error === undefined
    ? isRefusal(exchange) &&
      /invalid|valid|input|argument|parameter|must be|expected|allowed|one of/i.test(
        textOf(exchange),
      ) &&
      ![nothingFound, noPermission, rateLimit, invalidAuthentication].some((meaning) =>
        expresses(textOf(exchange), meaning),
      )
    : exchange.error.code === -32_602

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

/** The constraint of an input schema that a kind of invalid input breaks. */
const constraints: Readonly<Record<BreachKind, string>> = {
  missing: 'a required field',
  type: 'a field with a type',
  length: 'a string with a minimum or maximum length',
  range: 'a number with a minimum or maximum, except limit and offset, which other checks test',
  value: 'a field with a list of allowed values, except response_format, which other checks test',
  pattern: 'a string with a pattern',
  items: 'an array with a minimum or maximum number of items',
}

/**
 * Returns the error to throw if a check has no invalid input to send. Without `kind`, the check
 * sends invalid input of any kind.
 */
export function reasonNothingTried(
  { tools }: Session,
  calls: readonly PlainCall[],
  negatives: readonly Negative[],
  kind?: BreachKind,
): Error {
  const constraint = kind === undefined ? 'input with constraints' : constraints[kind]
  const failed = calls.find(({ isNamed, exchange }) => isNamed && !isSuccess(exchange))
  if (negatives.length > 0 || failed !== undefined)
    return new Blocked(
      'TOOL-CALL-01',
      failed?.exchange.summary ?? 'every call from which the suite derives invalid input fails',
    )
  const uncalled = tools.some(
    (tool) =>
      !calls.some(({ call }) => call.tool === tool.name) &&
      Object.keys(fieldsOf(tool).properties).length > 0,
  )
  return uncalled
    ? new NotCovered<ToolsNeed>(`no tool that the suite may call has ${constraint}`, [
        'tools.calls',
      ])
    : new NotApplicable(`no tool has ${constraint}`)
}

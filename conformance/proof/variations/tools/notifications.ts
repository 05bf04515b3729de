import { addCopyIfAccepted } from '../../faults/tools/books.ts'
import type { ToolsMiddleware, ToolCall } from '../../../../mocks/stateful/tools/call.ts'
import type { ToolFailure } from '../../../../mocks/stateful/tools/kit/failures.ts'
import type { ToolResult } from '../../../../mocks/stateful/tools/protocol.ts'
import { defaultRules } from '../../../../mocks/stateful/tools/rules.ts'
import type { ToolsFactor } from './variation.ts'

const isGet = ({ tool }: ToolCall): boolean => tool.name === 'shelf_get_book'

/** Repeats a failed call of shelf_get_book once. */
const retry: ToolsMiddleware = async (call, next) => {
  try {
    return await next()
  } catch (error) {
    if (!isGet(call)) throw error
    return next()
  }
}

/** Caches the results of shelf_get_book. */
const cache = (): ToolsMiddleware => {
  const known = new Map<string, ToolResult>()
  return async (call, next) => {
    if (!isGet(call)) return next()
    const key = JSON.stringify(call.args)
    const result = known.get(key) ?? (await next())
    known.set(key, result)
    return result
  }
}

/** Sends no elicitation requests. */
export const neverElicit: ToolsMiddleware = (call, next) => {
  call.client.elicit = async () => undefined
  return next()
}

/** Goes on without the user's input after half a second. */
const giveUpSoon: ToolsMiddleware = (call, next) => {
  const elicit = call.client.elicit.bind(call.client)
  call.client.elicit = (...args) => {
    let stop = () => {}
    const timeout = new Promise<undefined>((resolve) => {
      stop = call.server.clock.after(500, () => resolve(undefined))
    })
    return Promise.race([elicit(...args), timeout]).finally(() => stop())
  }
  return next()
}

/** The wording of failures that many servers use. */
const commonWording = (failure: ToolFailure): string => {
  if (failure.kind === 'timeout') return 'Error: Request timed out. Please try again.'
  if (failure.kind === 'unexpected') return `Error: Unexpected error occurred: ${failure.type}`
  const words: Readonly<Record<number, string>> = {
    404: 'Resource not found. Please check the ID is correct.',
    403: "Permission denied. You don't have access to this resource.",
    429: 'Rate limit exceeded. Please wait before making more requests.',
    401: 'Invalid API authentication.',
  }
  return `Error: ${words[failure.status] ?? `API request failed with status ${failure.status}`}`
}

/** Choices that the document leaves for failures, progress, logs and elicitation. */
export const notifications: readonly ToolsFactor[] = [
  {
    requirement: 'TOOL-ERROR-10',
    name: 'isError in a failure',
    values: [
      { name: 'true', description: 'Returns failures with isError.' },
      {
        name: 'absent',
        description: 'Returns failures without isError.',
        choices: { errorFlag: false },
      },
    ],
  },
  {
    requirement: 'TOOL-ERROR-01',
    name: 'wording of failures',
    values: [
      { name: 'plain', description: 'Reports failures in one or two sentences.' },
      {
        name: 'terse',
        description: 'Reports failures in a few words.',
        choices: { wording: 'terse' },
      },
      {
        name: 'chatty',
        description: 'Reports failures in many words.',
        choices: { wording: 'chatty' },
      },
      {
        name: 'common',
        notCombined: true,
        description: 'Reports failures in common wordings.',
        deviation: {
          rules: {
            failureText: commonWording,
            emptyResultText: (query) => `No items found matching '${query}'`,
          },
        },
      },
      {
        name: 'one type of unexpected errors',
        notCombined: true,
        description: 'Reports all unexpected errors with the same type.',
        deviation: {
          rules: {
            failureText: (failure, choices) =>
              defaultRules.failureText(
                failure.kind === 'unexpected' ? { ...failure, type: 'ApiError' } : failure,
                choices,
              ),
          },
        },
      },
    ],
  },
  {
    requirement: 'TOOL-ERROR-09',
    name: 'empty searches',
    values: [
      { name: 'success', description: 'Reports an empty search as a success.' },
      {
        name: 'failure',
        description: 'Reports an empty search as a failure.',
        choices: { emptyResultIsError: true },
      },
    ],
  },
  {
    requirement: 'none',
    name: 'upstream requests',
    values: [
      { name: 'one', description: 'Sends one request to its upstream.' },
      {
        name: 'repeated after a failure',
        notCombined: true,
        description: 'Retries a failed request to its upstream once.',
        deviation: { around: retry },
      },
      {
        name: 'cached',
        notCombined: true,
        description: 'Caches the responses of its upstream.',
        deviation: { around: cache() },
      },
    ],
  },
  {
    requirement: 'TOOL-PROGRESS-04',
    name: 'progress',
    values: [
      { name: 'fractions of 1', description: 'Reports progress as a fraction of 1.' },
      {
        name: 'steps with a total',
        notCombined: true,
        description: 'Reports progress in steps with a total.',
        choices: { progress: 'steps' },
      },
      {
        name: 'steps without a total',
        description: 'Reports progress in steps without a total.',
        choices: { progress: 'open' },
      },
      {
        name: 'none',
        notCombined: true,
        description: 'Reports no progress.',
        choices: { progress: 'none' },
      },
    ],
  },
  {
    requirement: 'TOOL-PROGRESS-04',
    name: 'messages with progress',
    values: [
      { name: 'sent', description: 'Reports progress with messages.' },
      {
        name: 'none',
        description: 'Reports progress without messages.',
        choices: { progressMessages: false },
      },
    ],
  },
  {
    requirement: 'TOOL-LOG-04',
    name: 'logs',
    values: [
      { name: 'sent', description: 'Sends logs.' },
      { name: 'none', description: 'Sends no logs.', choices: { logging: false } },
    ],
  },
  {
    requirement: 'TOOL-LOG-04',
    name: 'data of logs',
    values: [
      { name: 'strings', description: 'Sends logs whose data is a string.' },
      {
        name: 'objects',
        description: 'Sends logs whose data is an object.',
        choices: { logData: 'object' },
      },
    ],
  },
  {
    requirement: 'TOOL-LOG-03',
    name: 'levels of logs',
    values: [
      { name: 'all', description: 'Sends logs of every level if no level was set.' },
      {
        name: 'from info',
        description: 'Sends only logs of the level info and above if no level was set.',
        deviation: {
          rules: {
            wantsLogLevel: (level, least) => defaultRules.wantsLogLevel(level, least ?? 'info'),
          },
        },
      },
      {
        name: 'from warning',
        notCombined: true,
        description: 'Sends no logs below the level warning, even if a lower level was set.',
        deviation: {
          rules: {
            wantsLogLevel: (level, least) =>
              defaultRules.wantsLogLevel(level, least) &&
              defaultRules.wantsLogLevel(level, 'warning'),
          },
        },
      },
    ],
  },
  {
    requirement: 'TOOL-LOG-01',
    name: 'stream of logs',
    values: [
      { name: 'the stream of the call', description: 'Sends logs on the stream of the call.' },
      {
        name: 'the stream of GET',
        description: 'Sends logs on the stream of GET.',
        choices: { logStream: 'get' },
      },
    ],
  },
  {
    requirement: 'TOOL-ELICIT-02',
    name: 'elicitation',
    values: [
      { name: 'sent', description: 'Asks the user for a topic.' },
      {
        name: 'none',
        notCombined: true,
        description: 'Never asks the user.',
        deviation: { around: neverElicit },
      },
      {
        name: 'given up soon',
        notCombined: true,
        description: 'Asks the user for a topic, and waits only half a second for the response.',
        deviation: { around: giveUpSoon },
      },
      {
        name: 'with an effect',
        notCombined: true,
        description: 'Adds a copy of a book if the user accepts.',
        deviation: { around: addCopyIfAccepted },
      },
    ],
  },
]

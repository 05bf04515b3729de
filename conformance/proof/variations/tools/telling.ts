import type { ToolsMiddleware, ToolCall } from '../../../../mocks/stateful/tools/call.ts'
import type { ToolFailure } from '../../../../mocks/stateful/tools/kit/failures.ts'
import type { ToolResult } from '../../../../mocks/stateful/tools/protocol.ts'
import { defaultRules } from '../../../../mocks/stateful/tools/rules.ts'
import type { ToolsFactor } from './variation.ts'

const isGet = ({ tool }: ToolCall): boolean => tool.name === 'shelf_get_book'

/** Asks the upstream once more where it failed. */
const asksTwice: ToolsMiddleware = async (call, next) => {
  try {
    return await next()
  } catch (error) {
    if (!isGet(call)) throw error
    return next()
  }
}

/** Knows for a while what it was asked before. */
const remembers = (): ToolsMiddleware => {
  const known = new Map<string, ToolResult>()
  return async (call, next) => {
    if (!isGet(call)) return next()
    const key = JSON.stringify(call.args)
    const result = known.get(key) ?? (await next())
    known.set(key, result)
    return result
  }
}

/** Asks its user nothing. */
const shy: ToolsMiddleware = (call, next) => {
  call.client.elicit = async () => undefined
  return next()
}

/** The words that are often seen. */
const usual = (failure: ToolFailure): string => {
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

/** What the document leaves open of failures, and of what a tool tells and asks while it runs. */
export const telling: readonly ToolsFactor[] = [
  {
    requirement: 'TOOL-ERROR-10',
    name: 'marks of failures',
    levels: [
      { name: 'isError', description: 'Marks texts about failures as errors of the protocol.' },
      {
        name: 'none',
        description: 'Gives texts about failures as any other.',
        choices: { errorFlag: false },
      },
    ],
  },
  {
    requirement: 'TOOL-ERROR-01',
    name: 'words about failures',
    levels: [
      { name: 'plain', description: 'Tells failures in a sentence or two.' },
      {
        name: 'terse',
        description: 'Tells failures in a few words.',
        choices: { wording: 'terse' },
      },
      {
        name: 'chatty',
        description: 'Tells failures in many words.',
        choices: { wording: 'chatty' },
      },
      {
        name: 'usual',
        notCombined: true,
        description: 'Tells failures in the words that are often seen.',
        deviation: {
          rules: { failure: usual, nothing: (query) => `No items found matching '${query}'` },
        },
      },
    ],
  },
  {
    requirement: 'TOOL-ERROR-09',
    name: 'searches that find nothing',
    levels: [
      { name: 'no failure', description: 'Tells as any other text that nothing was found.' },
      {
        name: 'a failure',
        description: 'Tells that nothing was found as a failure.',
        choices: { nothingIsError: true },
      },
    ],
  },
  {
    requirement: 'form',
    name: 'tries',
    levels: [
      { name: 'one', description: 'Asks its upstream once.' },
      {
        name: 'two',
        notCombined: true,
        description: 'Asks its upstream once more where that failed.',
        deviation: { around: asksTwice },
      },
      {
        name: 'one for all',
        notCombined: true,
        description: 'Asks its upstream once for the same, and keeps what it was told.',
        deviation: { around: remembers() },
      },
    ],
  },
  {
    requirement: 'TOOL-PROGRESS-04',
    name: 'progress',
    levels: [
      { name: 'a fraction', description: 'Tells progress as a fraction of 1.' },
      {
        name: 'steps',
        notCombined: true,
        description: 'Tells progress in steps, and how many there are.',
        choices: { progress: 'steps' },
      },
      {
        name: 'open',
        description: 'Tells progress in steps, and not how many there are.',
        choices: { progress: 'open' },
      },
      {
        name: 'none',
        notCombined: true,
        description: 'Tells no progress.',
        choices: { progress: 'none' },
      },
    ],
  },
  {
    requirement: 'TOOL-PROGRESS-04',
    name: 'messages of progress',
    levels: [
      { name: 'told', description: 'Tells progress with messages.' },
      {
        name: 'none',
        description: 'Tells progress without messages.',
        choices: { progressMessages: false },
      },
    ],
  },
  {
    requirement: 'TOOL-LOG-04',
    name: 'logs',
    levels: [
      { name: 'told', description: 'Logs to its clients.' },
      { name: 'none', description: 'Logs nothing to its clients.', choices: { logging: false } },
    ],
  },
  {
    requirement: 'TOOL-LOG-04',
    name: 'data of logs',
    levels: [
      { name: 'text', description: 'Logs texts.' },
      { name: 'an object', description: 'Logs objects.', choices: { logData: 'object' } },
    ],
  },
  {
    requirement: 'TOOL-LOG-03',
    name: 'levels of logs',
    levels: [
      { name: 'all', description: 'Logs everything to clients that asked for no level.' },
      {
        name: 'from info',
        description: 'Logs nothing below info to clients that asked for no level.',
        deviation: {
          rules: {
            wantsLogLevel: (level, least) => defaultRules.wantsLogLevel(level, least ?? 'info'),
          },
        },
      },
      {
        name: 'from warning',
        notCombined: true,
        description: 'Logs nothing below warning, whatever a client asks for.',
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
    levels: [
      { name: 'that of the call', description: 'Logs on the stream of the call.' },
      {
        name: 'that of the session',
        description: 'Logs on the stream that a client opened to listen.',
        choices: { logStream: 'get' },
      },
    ],
  },
  {
    requirement: 'TOOL-ELICIT-02',
    name: 'questions',
    levels: [
      { name: 'asked', description: 'Asks its user for a topic.' },
      {
        name: 'none',
        notCombined: true,
        description: 'Asks its user nothing.',
        deviation: { around: shy },
      },
    ],
  },
]

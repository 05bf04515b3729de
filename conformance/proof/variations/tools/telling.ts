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
    row: 'TOOL-ERROR-10',
    factor: 'marks of failures',
    levels: [
      { name: 'isError', says: 'Marks texts about failures as errors of the protocol.' },
      {
        name: 'none',
        says: 'Gives texts about failures as any other.',
        choices: { errorFlag: false },
      },
    ],
  },
  {
    row: 'TOOL-ERROR-01',
    factor: 'words about failures',
    levels: [
      { name: 'plain', says: 'Tells failures in a sentence or two.' },
      { name: 'terse', says: 'Tells failures in a few words.', choices: { wording: 'terse' } },
      { name: 'chatty', says: 'Tells failures in many words.', choices: { wording: 'chatty' } },
      {
        name: 'usual',
        alone: true,
        says: 'Tells failures in the words that are often seen.',
        deviation: {
          rules: { failure: usual, nothing: (query) => `No items found matching '${query}'` },
        },
      },
    ],
  },
  {
    row: 'TOOL-ERROR-09',
    factor: 'searches that find nothing',
    levels: [
      { name: 'no failure', says: 'Tells as any other text that nothing was found.' },
      {
        name: 'a failure',
        says: 'Tells that nothing was found as a failure.',
        choices: { nothingIsError: true },
      },
    ],
  },
  {
    row: 'form',
    factor: 'tries',
    levels: [
      { name: 'one', says: 'Asks its upstream once.' },
      {
        name: 'two',
        alone: true,
        says: 'Asks its upstream once more where that failed.',
        deviation: { around: asksTwice },
      },
      {
        name: 'one for all',
        alone: true,
        says: 'Asks its upstream once for the same, and keeps what it was told.',
        deviation: { around: remembers() },
      },
    ],
  },
  {
    row: 'TOOL-PROGRESS-04',
    factor: 'progress',
    levels: [
      { name: 'a fraction', says: 'Tells progress as a fraction of 1.' },
      {
        name: 'steps',
        alone: true,
        says: 'Tells progress in steps, and how many there are.',
        choices: { progress: 'steps' },
      },
      {
        name: 'open',
        says: 'Tells progress in steps, and not how many there are.',
        choices: { progress: 'open' },
      },
      { name: 'none', alone: true, says: 'Tells no progress.', choices: { progress: 'none' } },
    ],
  },
  {
    row: 'TOOL-PROGRESS-04',
    factor: 'messages of progress',
    levels: [
      { name: 'told', says: 'Tells progress with messages.' },
      {
        name: 'none',
        says: 'Tells progress without messages.',
        choices: { progressMessages: false },
      },
    ],
  },
  {
    row: 'TOOL-LOG-04',
    factor: 'logs',
    levels: [
      { name: 'told', says: 'Logs to its clients.' },
      { name: 'none', says: 'Logs nothing to its clients.', choices: { logging: false } },
    ],
  },
  {
    row: 'TOOL-LOG-04',
    factor: 'data of logs',
    levels: [
      { name: 'text', says: 'Logs texts.' },
      { name: 'an object', says: 'Logs objects.', choices: { logData: 'object' } },
    ],
  },
  {
    row: 'TOOL-LOG-03',
    factor: 'levels of logs',
    levels: [
      { name: 'all', says: 'Logs everything to clients that asked for no level.' },
      {
        name: 'from info',
        says: 'Logs nothing below info to clients that asked for no level.',
        deviation: {
          rules: {
            wantsLogLevel: (level, least) => defaultRules.wantsLogLevel(level, least ?? 'info'),
          },
        },
      },
      {
        name: 'from warning',
        alone: true,
        says: 'Logs nothing below warning, whatever a client asks for.',
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
    row: 'TOOL-LOG-01',
    factor: 'stream of logs',
    levels: [
      { name: 'that of the call', says: 'Logs on the stream of the call.' },
      {
        name: 'that of the session',
        says: 'Logs on the stream that a client opened to listen.',
        choices: { logStream: 'get' },
      },
    ],
  },
  {
    row: 'TOOL-ELICIT-02',
    factor: 'questions',
    levels: [
      { name: 'asked', says: 'Asks its user for a topic.' },
      { name: 'none', alone: true, says: 'Asks its user nothing.', deviation: { around: shy } },
    ],
  },
]

import type { ToolCall } from '../../../../mocks/stateful/tools/call.ts'
import { JsonRpcError, type JsonRpc } from '../../../../mocks/stateful/tools/protocol.ts'
import { defaultRules, type ToolsRules } from '../../../../mocks/stateful/tools/rules.ts'
import type { ToolsFault } from './fault.ts'
import {
  fault,
  onMessage,
  onRequest,
  replaceRules,
  resultsOf,
  unasked,
  type MakeToolsDeviation,
} from './building.ts'

type Members = Record<string, unknown>

/** Changes the params of what the server sends unasked. */
const params = (method: string, change: (params: Members) => Members): MakeToolsDeviation =>
  unasked((message) =>
    message['method'] === method
      ? { ...message, params: change(message['params'] as Members) }
      : message,
  )
const without = (members: Members, name: string): Members =>
  Object.fromEntries(Object.entries(members).filter(([one]) => one !== name))

const progresses = (progress: ToolsRules['progress']): MakeToolsDeviation =>
  replaceRules((_rules, hit) => ({
    progress(...given) {
      hit()
      return progress(...given)
    },
  }))

const hears = (does: ToolsRules['wantsLogLevel']): MakeToolsDeviation =>
  replaceRules((_rules, hit) => ({
    wantsLogLevel(level, least) {
      const heard = does(level, least)
      if (heard !== defaultRules.wantsLogLevel(level, least)) hit()
      return heard
    },
  }))

/** Does something with a call whose user has answered so. */
const answered = (action: string, then: () => Promise<never>): MakeToolsDeviation =>
  onRequest((call, next, hit) => {
    const elicit = call.client.elicit.bind(call.client)
    call.client.elicit = async (...given) => {
      const asked = await elicit(...given)
      if (asked?.action !== action) return asked
      hit()
      return then()
    }
    return next()
  })

/** Asks users of clients that cannot be asked. */
const asks = (whom: (call: ToolCall) => boolean): MakeToolsDeviation =>
  onRequest((call, next, hit) => {
    if (
      call.tool.name === 'shelf_recommend_book' &&
      whom(call) &&
      call.session.capabilities['elicitation'] === undefined
    ) {
      hit()
      call.session.capabilities = { ...call.session.capabilities, elicitation: {} }
    }
    return next()
  })

const never = () => new Promise<never>(() => {})

/** What a tool tells and asks while it runs. */
export const telling: readonly ToolsFault[] = [
  fault(
    'progress-has-a-token-of-its-own',
    'Tells progress under a token that nobody gave.',
    ['TOOL-PROGRESS-01'],
    params('notifications/progress', (told) => ({ ...told, progressToken: 'call-1' })),
  ),
  fault(
    'progress-tokens-become-text',
    'Tells progress under a text where the token is a number.',
    ['TOOL-PROGRESS-01'],
    replaceRules((_rules, hit) => ({
      progressToken(meta) {
        const token = meta?.['progressToken']
        if (typeof token !== 'number') return token
        hit()
        return String(token)
      },
    })),
  ),
  fault(
    'progress-stands-still',
    'Tells the same progress again and again.',
    ['TOOL-PROGRESS-02'],
    progresses(() => ({ progress: 0.5, total: 1 })),
  ),
  fault(
    'progress-falls',
    'Tells how much is left.',
    ['TOOL-PROGRESS-02'],
    progresses((done, all) => ({ progress: all - done, total: all })),
  ),
  fault(
    'progress-is-text',
    'Tells progress in words.',
    ['TOOL-PROGRESS-02'],
    progresses((done, all) => ({ progress: `${done} of ${all}` as unknown as number })),
  ),
  fault(
    'progress-comes-behind-the-result',
    'Tells progress once more behind the result.',
    ['TOOL-PROGRESS-03'],
    onMessage((response, { method, params: { _meta: meta } }) => {
      const token = (meta as Members | undefined)?.['progressToken']
      const late: JsonRpc = {
        jsonrpc: '2.0',
        method: 'notifications/progress',
        params: { progressToken: token, progress: 100 },
      }
      return method !== 'tools/call' || token === undefined ? response : [response, late]
    }),
  ),
  fault(
    'progress-comes-unasked',
    'Tells progress of calls that gave no token.',
    ['TOOL-PROGRESS-03'],
    replaceRules((_rules, hit) => ({
      progressToken(meta) {
        const token = meta?.['progressToken']
        if (token === undefined) hit()
        return token ?? 'unasked'
      },
    })),
  ),

  fault(
    'log-levels-are-in-capitals',
    'Writes the levels of logs in capitals.',
    ['TOOL-LOG-01'],
    params('notifications/message', (told) => ({
      ...told,
      level: String(told['level']).toUpperCase(),
    })),
  ),
  fault(
    'log-levels-are-missing',
    'Logs without a level.',
    ['TOOL-LOG-01'],
    params('notifications/message', (told) => without(told, 'level')),
  ),
  fault(
    'logs-have-no-data',
    'Logs a message in place of data.',
    ['TOOL-LOG-01'],
    params('notifications/message', ({ data, ...told }) => ({ ...told, message: data })),
  ),
  fault(
    'logging-is-not-declared',
    'Logs without the capability.',
    ['TOOL-LOG-02'],
    resultsOf('initialize', (result) => ({
      ...result,
      capabilities: without(result['capabilities'] as Members, 'logging'),
    })),
  ),
  fault(
    'logging-is-declared-as-true',
    'Declares the capability to log as true, and not as an object.',
    ['TOOL-LOG-02'],
    resultsOf('initialize', (result) => ({
      ...result,
      capabilities: { ...(result['capabilities'] as Members), logging: true },
    })),
  ),
  fault(
    'every-level-is-logged',
    'Logs everything, whatever level was asked for.',
    ['TOOL-LOG-03'],
    hears(() => true),
  ),
  fault(
    'lower-levels-are-logged',
    'Logs what is below the level that was asked for, and nothing above.',
    ['TOOL-LOG-03'],
    hears(
      (level, least) =>
        least === undefined || level === least || !defaultRules.wantsLogLevel(level, least),
    ),
  ),

  fault(
    'question-has-no-message',
    'Asks its user without a message.',
    ['TOOL-ELICIT-01'],
    params('elicitation/create', (asked) => without(asked, 'message')),
  ),
  fault(
    'question-has-no-schema',
    'Asks its user without a schema.',
    ['TOOL-ELICIT-01'],
    params('elicitation/create', (asked) => without(asked, 'requestedSchema')),
  ),
  fault(
    'question-has-nested-fields',
    'Asks its user for an object in a field.',
    ['TOOL-ELICIT-01'],
    params('elicitation/create', ({ requestedSchema, ...asked }) => ({
      ...asked,
      requestedSchema: { type: 'object', properties: { wish: requestedSchema } },
    })),
  ),
  fault(
    'call-hangs-when-its-user-declines',
    'Never ends a call whose user declines.',
    ['TOOL-ELICIT-02'],
    answered('decline', never),
  ),
  fault(
    'call-hangs-when-its-user-cancels',
    'Never ends a call whose user cancels.',
    ['TOOL-ELICIT-02'],
    answered('cancel', never),
  ),
  fault(
    'call-breaks-when-its-user-accepts',
    'Answers a call whose user accepts with an error of JSON-RPC.',
    ['TOOL-ELICIT-02'],
    answered('accept', () => Promise.reject(new JsonRpcError(-32603, 'no such answer'))),
  ),
  fault(
    'everybody-is-asked',
    'Asks users of all clients.',
    ['TOOL-ELICIT-03'],
    asks(() => true),
  ),
  fault(
    'one-client-speaks-for-all',
    'Asks users of all clients as soon as one of them can be asked.',
    ['TOOL-ELICIT-03'],
    (hit) => {
      let isOne = false
      return asks(({ session }) => {
        isOne ||= session.capabilities['elicitation'] !== undefined
        return isOne
      })(hit)
    },
  ),
]

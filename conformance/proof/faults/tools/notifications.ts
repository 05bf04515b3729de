import type { ElicitationResponse, ToolCall } from '../../../../mocks/stateful/tools/call.ts'
import {
  JsonRpcError,
  logLevels,
  type JsonRpc,
  type LogLevel,
} from '../../../../mocks/stateful/tools/protocol.ts'
import { defaultRules, type ToolsRules } from '../../../../mocks/stateful/tools/rules.ts'
import { addCopy, onElicited } from './books.ts'
import type { ToolsFault } from './fault.ts'
import {
  fault,
  onMessage,
  onRequest,
  replaceRules,
  onResult,
  onServerMessage,
  over,
  type MakeToolsDeviation,
} from './building.ts'

type Members = Record<string, unknown>

/** Changes the params of the notifications or requests of the server with this method. */
const onParams = (method: string, change: (params: Members) => Members): MakeToolsDeviation =>
  onServerMessage((message) =>
    message['method'] === method
      ? { ...message, params: change(message['params'] as Members) }
      : message,
  )
const omitMember = (members: Members, name: string): Members =>
  Object.fromEntries(Object.entries(members).filter(([one]) => one !== name))

const changeProgress = (progress: ToolsRules['progress']): MakeToolsDeviation =>
  replaceRules((_rules, hit) => ({
    progress(...args) {
      hit()
      return progress(...args)
    },
  }))

const changeLogLevels = (wantsLevelRule: ToolsRules['wantsLogLevel']): MakeToolsDeviation =>
  replaceRules((_rules, hit) => ({
    wantsLogLevel(level, least) {
      const wantsLevel = wantsLevelRule(level, least)
      if (wantsLevel !== defaultRules.wantsLogLevel(level, least)) hit()
      return wantsLevel
    },
  }))

/**
 * Sends all requests of the server with the same id. In the answers of the client, replaces this id
 * with the id that the server awaits.
 */
const numberRequests =
  (id: string | number): MakeToolsDeviation =>
  (hit) => {
    const awaited = new Map<unknown, unknown>()
    return {
      message(direction, message, { session }) {
        if (direction === 'in')
          return message['id'] === id && !('method' in message) && awaited.has(session)
            ? { ...message, id: awaited.get(session) }
            : message
        if (message['method'] !== 'elicitation/create') return message
        hit()
        awaited.set(session, message['id'])
        return { ...message, id }
      },
    }
  }

/** Changes requests that set a log level. */
const onSetLevel =
  (change: (level: unknown, session: unknown) => string | undefined): MakeToolsDeviation =>
  (hit) => ({
    message(direction, message, { session }) {
      if (direction === 'out' || message['method'] !== 'logging/setLevel') return message
      const params = message['params'] as Members
      const level = change(params['level'], session)
      if (level === undefined) return message
      hit()
      return { ...message, params: { ...params, level } }
    },
  })

/**
 * If the user responds to the elicitation with this action, replaces the response with that of
 * `then`. A rejection ends the call.
 */
const onUserAction = (
  action: string,
  then: () => Promise<ElicitationResponse>,
): MakeToolsDeviation =>
  onRequest((call, next, hit) => {
    onElicited(call, (response) => {
      if (response.action !== action) return response
      hit()
      return then()
    })
    return next()
  })

/** Adds a copy of a book in each call in which the user responds with one of these actions. */
const addCopyAfter = (...actions: string[]): MakeToolsDeviation =>
  onRequest((call, next, hit) => {
    onElicited(call, (response) => {
      if (actions.includes(response.action)) {
        if (response.action !== 'accept') hit()
        addCopy(call)
      }
      return response
    })
    return next()
  })

/** The response of a user who accepts, with the content of the target file. */
const acceptSea = () => Promise.resolve({ action: 'accept', content: { topic: 'sea' } })

/**
 * Sends elicitation requests to clients without the capability, in the calls that `isElicited`
 * selects.
 */
const elicitWithoutCapability = (isElicited: (call: ToolCall) => boolean): MakeToolsDeviation =>
  onRequest((call, next, hit) => {
    if (
      call.tool.name === 'shelf_recommend_book' &&
      isElicited(call) &&
      call.session.capabilities['elicitation'] === undefined
    ) {
      hit()
      call.session.capabilities = { ...call.session.capabilities, elicitation: {} }
    }
    return next()
  })

/** Takes clients that only open URLs for clients that show forms. */
const elicitFromUrlClients: MakeToolsDeviation = onRequest((call, next, hit) => {
  const { elicitation } = call.session.capabilities
  if (
    call.tool.name === 'shelf_recommend_book' &&
    typeof elicitation === 'object' &&
    elicitation !== null &&
    'url' in elicitation
  ) {
    hit()
    call.session.capabilities = { ...call.session.capabilities, elicitation: {} }
  }
  return next()
})

/** Replaces responses of users who accept with content that the schema does not allow. */
const onInvalidContent = (then: () => Promise<ElicitationResponse>): MakeToolsDeviation =>
  onRequest((call, next, hit) => {
    onElicited(call, (response) => {
      if (response.action !== 'accept' || typeof response.content?.['topic'] === 'string')
        return response
      hit()
      return then()
    })
    return next()
  })

/** Reports the progress of all calls of a session with the token that was received last. */
const useLatestToken: MakeToolsDeviation = (hit) => {
  const latest = new Map<string | undefined, unknown>()
  return {
    message(direction, message, { session }) {
      const params = message['params'] as Members | undefined
      if (direction === 'in') {
        const token = (params?.['_meta'] as Members | undefined)?.['progressToken']
        if (token !== undefined) latest.set(session, token)
        return message
      }
      const token = latest.get(session)
      if (message['method'] !== 'notifications/progress' || params?.['progressToken'] === token)
        return message
      hit()
      return { ...message, params: { ...params, progressToken: token } }
    },
  }
}

/** Sends logs from the lowest level on that any client has set. */
const shareLowestLevel: MakeToolsDeviation = (hit) => {
  const levels = new Map<string | undefined, LogLevel>()
  return {
    message(direction, message, { session }) {
      if (direction === 'in' && message['method'] === 'logging/setLevel')
        levels.set(session, (message['params'] as Members)['level'] as LogLevel)
      return message
    },
    rules: {
      wantsLogLevel(level, least) {
        const isWanted = defaultRules.wantsLogLevel(level, least)
        if (isWanted || ![...levels.values()].some((one) => defaultRules.wantsLogLevel(level, one)))
          return isWanted
        hit()
        return true
      },
    },
  }
}

/**
 * Uses the response of a user who accepts even if it comes from a client that has not received an
 * elicitation request.
 */
const acceptFromAnyClient: MakeToolsDeviation = (hit) => {
  const elicited = new Set<string | undefined>()
  const waiting = new Set<(response: ElicitationResponse) => void>()
  return {
    ...onRequest((call, next) => {
      const elicit = call.client.elicit.bind(call.client)
      call.client.elicit = async (...args) => {
        elicited.add(call.session.id)
        let answer!: (response: ElicitationResponse) => void
        const foreign = new Promise<ElicitationResponse>((resolve) => (answer = resolve))
        waiting.add(answer)
        return Promise.race([elicit(...args), foreign]).finally(() => waiting.delete(answer))
      }
      return next()
    })(hit),
    message(direction, message, { session }) {
      const response = message['result'] as ElicitationResponse | undefined
      if (direction === 'out' || response?.action !== 'accept' || elicited.has(session))
        return message
      hit()
      for (const answer of waiting) answer(response)
      return message
    },
  }
}

/** Sends messages to the client during calls of shelf_create_loan, a tool that writes. */
const duringLoans = (
  send: (client: ToolCall['client']) => Promise<void>,
  rules: Partial<ToolsRules> = {},
): MakeToolsDeviation => {
  const make = onRequest(async (call, next, hit) => {
    if (call.tool.name !== 'shelf_create_loan') return next()
    hit()
    await send(call.client)
    return next()
  })
  return (...args) => ({ ...make(...args), rules })
}

const never = () => new Promise<never>(() => {})

/** Faults in progress, logs and elicitation. */
export const notifications: readonly ToolsFault[] = [
  fault(
    'progress-has-another-token',
    'Reports progress with an unknown token.',
    ['TOOL-PROGRESS-01'],
    onParams('notifications/progress', (sent) => ({ ...sent, progressToken: 'call-1' })),
  ),
  fault(
    'progress-has-no-token',
    'Reports progress without the token of the call.',
    ['TOOL-PROGRESS-01'],
    onParams('notifications/progress', (sent) => omitMember(sent, 'progressToken')),
  ),
  fault(
    'progress-tokens-become-strings',
    'If a progress token is a number, sends it back as a string.',
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
    'progress-does-not-increase',
    'Reports the same progress repeatedly.',
    ['TOOL-PROGRESS-02'],
    changeProgress(() => ({ progress: 0.5, total: 1 })),
  ),
  fault(
    'progress-decreases',
    'Reports the remaining work as progress.',
    ['TOOL-PROGRESS-02'],
    changeProgress((done, all) => ({ progress: all - done, total: all })),
  ),
  fault(
    'progress-is-a-string',
    'Reports progress as a string.',
    ['TOOL-PROGRESS-02'],
    changeProgress((done, all) => ({ progress: `${done} of ${all}` as unknown as number })),
  ),
  fault(
    'progress-has-the-latest-token',
    'Reports the progress of calls at the same time with the token of one of them.',
    ['TOOL-PROGRESS-02', 'TOOL-HTTP-14'],
    useLatestToken,
  ),
  fault(
    'progress-has-the-latest-token-of-a-stream',
    'Over HTTP+SSE, reports the progress of calls at the same time with the token of one of them.',
    ['TOOL-PROGRESS-02'],
    over(['sse'], useLatestToken),
  ),
  fault(
    'progress-of-a-writing-tool-does-not-increase',
    'Reports the same progress repeatedly, in a tool that writes.',
    ['TOOL-PROGRESS-02'],
    duringLoans(async (client) => {
      await client.progress(1, 2, 'half')
      await client.progress(1, 2, 'half')
    }),
  ),
  fault(
    'progress-of-a-writing-tool-has-another-token',
    'Reports progress with an unknown token, in a tool that writes.',
    ['TOOL-PROGRESS-01'],
    duringLoans((client) => client.progress(1, 2, 'half'), {
      progressToken: (meta) =>
        meta?.['progressToken'] === undefined ? undefined : 'the previous call',
    }),
  ),
  fault(
    'progress-follows-the-result',
    'Reports progress after the result.',
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
    'progress-without-a-token',
    'Reports progress of calls without a token.',
    ['TOOL-PROGRESS-03'],
    replaceRules((_rules, hit) => ({
      progressToken(meta) {
        const token = meta?.['progressToken']
        if (token === undefined) hit()
        return token ?? 'unknown'
      },
    })),
  ),

  fault(
    'log-levels-are-in-capitals',
    'Sends the levels of logs in capitals.',
    ['TOOL-LOG-01'],
    onParams('notifications/message', (sent) => ({
      ...sent,
      level: String(sent['level']).toUpperCase(),
    })),
  ),
  fault(
    'logs-of-a-writing-tool-have-an-unknown-level',
    'Sends logs with the level loud, in a tool that writes.',
    ['TOOL-LOG-01'],
    duringLoans((client) => client.log('loud' as LogLevel, 'A loan is made'), {
      wantsLogLevel: (level, least) =>
        (level as string) === 'loud' || defaultRules.wantsLogLevel(level, least),
    }),
  ),
  fault(
    'log-levels-are-missing',
    'Sends logs without a level.',
    ['TOOL-LOG-01'],
    onParams('notifications/message', (sent) => omitMember(sent, 'level')),
  ),
  fault(
    'logs-have-no-data',
    'Sends logs with the field `message` in place of `data`.',
    ['TOOL-LOG-01'],
    onParams('notifications/message', ({ data, ...sent }) => ({ ...sent, message: data })),
  ),
  fault(
    'logging-is-not-declared',
    'Sends logs without declaring the capability logging.',
    ['TOOL-LOG-02'],
    onResult('initialize', (result) => ({
      ...result,
      capabilities: omitMember(result['capabilities'] as Members, 'logging'),
    })),
  ),
  fault(
    'logging-is-declared-as-true',
    'Declares the capability logging as true instead of an object.',
    ['TOOL-LOG-02'],
    onResult('initialize', (result) => ({
      ...result,
      capabilities: { ...(result['capabilities'] as Members), logging: true },
    })),
  ),
  fault(
    'logs-have-an-id',
    'Sends logs with an id, like requests.',
    ['TOOL-MCP-04'],
    onServerMessage((message) =>
      message['method'] === 'notifications/message' ? { ...message, id: 'log' } : message,
    ),
  ),
  fault(
    'only-the-first-level-counts',
    'Ignores every level that a session sets after its first one.',
    ['TOOL-LOG-03'],
    (hit) => {
      const levels = new Map<unknown, string>()
      return onSetLevel((level, session) => {
        const first = levels.get(session)
        if (first === undefined) levels.set(session, String(level))
        return logLevels.includes(level as LogLevel) ? first : undefined
      })(hit)
    },
  ),
  fault(
    'the-lowest-level-of-all-clients-counts',
    'Sends each client the logs from the lowest level on that any client has set.',
    ['TOOL-LOG-03'],
    shareLowestLevel,
  ),
  fault(
    'logs-of-the-set-level-are-dropped',
    'Sends only logs above the level that was set.',
    ['TOOL-LOG-05'],
    changeLogLevels(
      (level, least) => least === undefined || logLevels.indexOf(level) > logLevels.indexOf(least),
    ),
  ),
  fault(
    'no-logs-for-a-level-above-debug',
    'Sends no logs if the level that was set is not debug.',
    ['TOOL-LOG-05'],
    changeLogLevels((_level, least) => least === undefined || least === 'debug'),
  ),
  fault(
    'levels-are-not-served',
    'Does not know the method logging/setLevel, although it declares the capability logging.',
    ['TOOL-LOG-06'],
    onMessage((response, { method }) =>
      method === 'logging/setLevel'
        ? {
            jsonrpc: '2.0',
            id: response['id'],
            error: { code: -32601, message: 'Method not found' },
          }
        : response,
    ),
  ),
  fault(
    'levels-between-the-usual-ones-are-unknown',
    'Refuses the levels notice and alert.',
    ['TOOL-LOG-06'],
    onSetLevel((level) => (level === 'notice' || level === 'alert' ? 'unknown' : undefined)),
  ),
  fault(
    'unknown-levels-are-accepted',
    'Treats an unknown level as info.',
    ['TOOL-LOG-07'],
    onSetLevel((level) => (logLevels.includes(level as LogLevel) ? undefined : 'info')),
  ),
  fault(
    'unknown-levels-have-a-result',
    'Returns a result for an unknown level.',
    ['TOOL-LOG-07'],
    onMessage((response, { method }) =>
      method === 'logging/setLevel' && 'error' in response
        ? { jsonrpc: '2.0', id: response['id'], result: {} }
        : response,
    ),
  ),
  fault(
    'requests-of-the-server-have-one-id',
    'Sends all its requests with the same id.',
    ['TOOL-MCP-14'],
    numberRequests(1),
  ),
  fault(
    'the-name-of-the-method-is-the-id',
    'Sends its requests with the name of the method as the id.',
    ['TOOL-MCP-14'],
    numberRequests('elicitation/create'),
  ),
  fault(
    'every-level-is-logged',
    'Sends logs of every level, and ignores the level that was set.',
    ['TOOL-LOG-03'],
    changeLogLevels(() => true),
  ),
  fault(
    'lower-levels-are-logged',
    'Sends logs below the level that was set, and none above it.',
    ['TOOL-LOG-03'],
    changeLogLevels(
      (level, least) =>
        least === undefined || level === least || !defaultRules.wantsLogLevel(level, least),
    ),
  ),

  fault(
    'elicitation-has-no-message',
    'Sends elicitation requests without a message.',
    ['TOOL-ELICIT-01'],
    onParams('elicitation/create', (request) => omitMember(request, 'message')),
  ),
  fault(
    'elicitation-has-no-schema',
    'Sends elicitation requests without a schema.',
    ['TOOL-ELICIT-01'],
    onParams('elicitation/create', (request) => omitMember(request, 'requestedSchema')),
  ),
  fault(
    'elicitation-has-nested-fields',
    'Sends elicitation requests whose schema contains a nested object.',
    ['TOOL-ELICIT-01'],
    onParams('elicitation/create', ({ requestedSchema, ...request }) => ({
      ...request,
      requestedSchema: { type: 'object', properties: { wish: requestedSchema } },
    })),
  ),
  fault(
    'declined-elicitations-change-a-book',
    'Adds a copy of a book if the user accepts or declines.',
    ['TOOL-ELICIT-06'],
    addCopyAfter('accept', 'decline'),
  ),
  fault(
    'cancelled-elicitations-change-a-book',
    'Adds a copy of a book if the user accepts or cancels.',
    ['TOOL-ELICIT-06'],
    addCopyAfter('accept', 'cancel'),
  ),
  fault(
    'call-hangs-when-its-user-declines',
    'Never responds to a call whose user declines.',
    ['TOOL-ELICIT-02'],
    onUserAction('decline', never),
  ),
  fault(
    'call-hangs-when-its-user-cancels',
    'Never responds to a call whose user cancels.',
    ['TOOL-ELICIT-02'],
    onUserAction('cancel', never),
  ),
  fault(
    'call-fails-when-its-user-accepts',
    'Responds with a JSON-RPC error to a call whose user accepts.',
    ['TOOL-ELICIT-02'],
    onUserAction('accept', () => Promise.reject(new JsonRpcError(-32603, 'no such answer'))),
  ),
  fault(
    'a-declined-question-is-accepted',
    'Handles a decline as if the user had accepted.',
    ['TOOL-ELICIT-04'],
    onUserAction('decline', acceptSea),
  ),
  fault(
    'a-cancelled-question-is-accepted',
    'Handles a cancellation as if the user had accepted.',
    ['TOOL-ELICIT-04'],
    onUserAction('cancel', acceptSea),
  ),
  fault(
    'forms-for-clients-of-urls',
    'Sends forms to clients that only open URLs.',
    ['TOOL-ELICIT-07'],
    elicitFromUrlClients,
  ),
  fault(
    'forms-for-clients-of-urls-in-json',
    'Sends forms with the mode form to clients that only open URLs.',
    ['TOOL-ELICIT-07'],
    (hit) => ({
      ...elicitFromUrlClients(hit),
      message(direction, message) {
        if (direction !== 'out' || message['method'] !== 'elicitation/create') return message
        return { ...message, params: { ...(message['params'] as Members), mode: 'form' } }
      },
    }),
  ),
  fault(
    'invalid-responses-are-accepted',
    'Handles a response with invalid content as if its content were valid.',
    ['TOOL-ELICIT-08'],
    onInvalidContent(acceptSea),
  ),
  fault(
    'invalid-responses-change-a-book',
    'Adds a copy of a book also after a response with invalid content.',
    ['TOOL-ELICIT-08'],
    onRequest((call, next, hit) => {
      onElicited(call, (response) => {
        if (response.action !== 'accept') return response
        if (typeof response.content?.['topic'] !== 'string') hit()
        addCopy(call)
        return response
      })
      return next()
    }),
  ),
  fault(
    'elicitation-without-the-capability',
    'Sends elicitation requests even to clients without the capability.',
    ['TOOL-ELICIT-03'],
    elicitWithoutCapability(() => true),
  ),
  fault(
    'elicitation-capability-is-shared',
    'Sends elicitation requests to all clients once a client with the capability has called.',
    ['TOOL-ELICIT-03'],
    (hit) => {
      let isOne = false
      return elicitWithoutCapability(({ session }) => {
        isOne ||= session.capabilities['elicitation'] !== undefined
        return isOne
      })(hit)
    },
  ),
  fault(
    'an-answer-of-any-client-counts',
    'Uses a response to an elicitation from the session of another client.',
    ['TOOL-ELICIT-05'],
    acceptFromAnyClient,
  ),
  fault(
    'an-answer-of-any-stream-counts',
    'Uses a response to an elicitation from another client over HTTP+SSE.',
    ['TOOL-ELICIT-05'],
    over(['sse'], acceptFromAnyClient),
  ),
]

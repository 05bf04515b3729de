import { isObject } from '../../../../mocks/stateful/http/body.ts'
import { type Arguments } from './arguments.ts'
import { beforeValidation, fault, onMessage, type MakeToolsDeviation } from './building.ts'
import type { ToolsFault } from './fault.ts'

const topicForm = {
  type: 'object',
  properties: { topic: { type: 'string', description: 'A topic.', maxLength: 60 } },
}

/** Asks the user before the input of the recommendation is validated, if `isAsked` returns true. */
const askBeforeValidation = (isAsked: (args: Arguments) => boolean): MakeToolsDeviation =>
  beforeValidation(async (call, next, hit) => {
    if (
      call.tool.name.endsWith('recommend_book') &&
      isObject(call.rawArguments) &&
      isAsked(call.rawArguments)
    ) {
      hit()
      await call.client.elicit('Which topic should the book be about?', topicForm)
    }
    return next()
  })

const isId = (value: unknown): boolean => /^r-\d{3}$/.test(String(value))

/** Updates the city of a reader before the input is validated, if `isStored` returns true. */
const updateBeforeValidation = (isStored: (args: Arguments) => boolean): MakeToolsDeviation =>
  beforeValidation(async (call, next, hit) => {
    const { rawArguments: args } = call
    if (
      call.tool.name.endsWith('update_reader') &&
      isObject(args) &&
      isId(args['id']) &&
      typeof args['city'] === 'string' &&
      isStored(args)
    ) {
      hit()
      const { id, city } = args
      await call.server.upstream.request('PUT', `/readers/${String(id)}`, { body: { city } })
    }
    return next()
  })

/** Faults in which something happens before invalid input is refused. */
export const lateValidation: readonly ToolsFault[] = [
  fault(
    'user-is-asked-before-validation',
    'Asks the user for a topic before it validates the number of books.',
    ['TOOL-INVALID-13'],
    askBeforeValidation(({ count }) => count !== undefined),
  ),
  fault(
    'user-is-asked-before-a-large-number-is-refused',
    'Asks the user for a topic before it refuses a number of books that is too large.',
    ['TOOL-INVALID-13'],
    askBeforeValidation(({ count }) => Number(count) > 5),
  ),
  fault(
    'valid-fields-are-stored-before-others-are-refused',
    'Stores the new city of a reader before it refuses another field.',
    ['TOOL-INVALID-14'],
    updateBeforeValidation(({ name, email }) => name !== undefined || email !== undefined),
  ),
  fault(
    'update-precedes-the-validation-of-the-format',
    'Stores the new city of a reader before it refuses an unknown response_format.',
    ['TOOL-INVALID-14'],
    updateBeforeValidation(({ response_format: format }) => format !== undefined),
  ),
  fault(
    'a-wrong-format-is-refused-after-the-upstream-request',
    'Sends a request to its upstream before it refuses an unknown response_format.',
    ['TOOL-INVALID-08'],
    beforeValidation(async (call, next, hit) => {
      const { tool, rawArguments: args, server } = call
      if (
        tool.name.endsWith('get_book') &&
        isObject(args) &&
        /^b-\d{3}$/.test(String(args['id'])) &&
        !['markdown', 'json', undefined].includes(args['response_format'] as string)
      ) {
        hit()
        void server.upstream.request('GET', `/books/${String(args['id'])}`).catch(() => {})
      }
      return next()
    }),
  ),
  fault(
    'validation-follows-the-upstream-request',
    'Sends a request to its upstream before it validates the input.',
    ['TOOL-INVALID-08'],
    beforeValidation(async (call, next, hit) => {
      if (
        call.tool.name.endsWith('get_book') &&
        isObject(call.rawArguments) &&
        !/^b-\d{3}$/.test(String(call.rawArguments['id']))
      ) {
        hit()
        await call.server.upstream.request('GET', '/readers').catch(() => {})
      }
      return next()
    }),
  ),
  fault(
    'identifiers-are-validated-by-the-upstream',
    'Sends an invalid identifier to its upstream before it validates it.',
    ['TOOL-INVALID-08'],
    beforeValidation(async (call, next, hit) => {
      if (!call.tool.name.endsWith('get_book') || !isObject(call.rawArguments)) return next()
      const { id } = call.rawArguments
      if (typeof id !== 'string' || /^b-\d{3}$/.test(id)) return next()
      hit()
      await call.server.upstream.request('GET', `/books/${encodeURIComponent(id)}`)
      return next()
    }),
  ),
]

/** Refuses invalid input with a JSON-RPC error that has this code. */
const refuseWith =
  (code: number): MakeToolsDeviation =>
  (hit) => ({
    ...onMessage((response, { method }) => {
      const { error } = response
      return method === 'tools/call' && isObject(error)
        ? { ...response, error: { ...error, code } }
        : response
    })(hit),
    choices: { invalidInput: 'error' },
  })

/** Faults in the error codes of refused input. */
export const inputErrorCodes: readonly ToolsFault[] = [
  fault(
    'invalid-input-is-an-internal-error',
    'Returns the error code -32603 for invalid input.',
    ['TOOL-INVALID-11'],
    refuseWith(-32_603),
  ),
  fault(
    'invalid-input-is-an-invalid-request',
    'Returns the error code -32600 for invalid input.',
    ['TOOL-INVALID-11'],
    refuseWith(-32_600),
  ),
]

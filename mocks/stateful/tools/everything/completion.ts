import { isObject } from '../../http/body.ts'
import { invalidParams, JsonRpcError } from '../protocol.ts'
import { hasPromptArgument } from './prompts.ts'
import { everythingTemplates } from './resources.ts'

/** The suggestions for every argument. */
const suggestions = ['paris', 'park', 'party', '123', '124']

/**
 * The result of `completion/complete`: the suggestions that begin with the value. Throws if the
 * argument does not exist.
 */
export function complete({ ref, argument }: Record<string, unknown>): object {
  const { name, value } = isObject(argument) ? argument : {}
  if (!isObject(ref) || typeof name !== 'string' || typeof value !== 'string')
    throw new JsonRpcError(invalidParams, 'ref and argument must be objects')
  if (!hasArgument(ref, name)) throw new JsonRpcError(invalidParams, `Unknown argument: ${name}`)
  const values = suggestions.filter((suggestion) => suggestion.startsWith(value))
  return { completion: { values, total: values.length, hasMore: false } }
}

/** Whether a prompt or the template of a resource has this argument. */
function hasArgument({ type, name, uri }: Record<string, unknown>, argument: string): boolean {
  if (type === 'ref/prompt') return hasPromptArgument(name, argument)
  const template = everythingTemplates.find(({ uriTemplate }) => uriTemplate === uri)
  return type === 'ref/resource' && template?.uriTemplate.includes(`{${argument}}`) === true
}

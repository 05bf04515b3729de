import type { ToolsContext } from '../call.ts'
import { readResource } from '../resources.ts'
import { complete } from './completion.ts'
import { getPrompt, listPrompts } from './prompts.ts'

/** The capabilities that the fixtures add. */
export const everythingCapabilities = {
  prompts: {},
  completions: {},
  resources: { subscribe: true },
}

/** Handles the methods that the fixtures add; undefined for all others. */
export function handleEverything(
  context: ToolsContext,
  method: string,
  params: Record<string, unknown>,
): object | undefined {
  switch (method) {
    case 'prompts/list':
      return listPrompts()
    case 'prompts/get':
      return getPrompt(params)
    case 'completion/complete':
      return complete(params)
    case 'resources/subscribe':
    case 'resources/unsubscribe':
      // No resource changes, so subscribers get no notifications. Only the URI is checked.
      readResource(context, params['uri'])
      return {}
    default:
      return undefined
  }
}

import { members } from '../expectations.ts'
import type { AuthWorld } from '../world.ts'

/** The scopes in a text of them. */
export const scopesIn = (text: unknown): string[] =>
  typeof text === 'string' ? text.split(' ').filter((one) => one !== '') : []

/**
 * A scope to ask for, and scopes beyond it: of those that the target file asks for, the first and the rest; of one alone, those beside it that the metadata name.
 * Undefined where nothing is known to ask for.
 */
export async function widerThan({
  auth,
  endpoints,
}: AuthWorld): Promise<{ narrow: string | undefined; wider: readonly string[] }> {
  const { metadata } = await endpoints()
  const supported: unknown =
    metadata === undefined ? undefined : members(metadata)['scopes_supported']
  const known = Array.isArray(supported)
    ? supported.filter((one): one is string => typeof one === 'string')
    : []
  const asked = scopesIn(auth.scope)
  const [narrow] = asked.length > 0 ? asked : known
  return { narrow, wider: [...new Set([...asked, ...known])].filter((one) => one !== narrow) }
}

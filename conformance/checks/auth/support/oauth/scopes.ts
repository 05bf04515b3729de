import { members } from '../expectations.ts'
import type { AuthWorld } from '../world.ts'

/** The scopes in a space-separated string. */
export const scopesIn = (text: unknown): string[] =>
  typeof text === 'string' ? text.split(' ').filter((one) => one !== '') : []

/**
 * A scope to request, and wider ones: the first scope of the target file and the others, then those
 * of the metadata. `narrow` is undefined if no scope is known.
 */
export async function scopesToWiden({
  auth,
  findEndpoints,
}: AuthWorld): Promise<{ narrow: string | undefined; wider: readonly string[] }> {
  const { metadata } = await findEndpoints()
  const supported: unknown =
    metadata === undefined ? undefined : members(metadata)['scopes_supported']
  const known = Array.isArray(supported)
    ? supported.filter((one): one is string => typeof one === 'string')
    : []
  const requested = scopesIn(auth.scope)
  const [narrow] = requested.length > 0 ? requested : known
  return { narrow, wider: [...new Set([...requested, ...known])].filter((one) => one !== narrow) }
}

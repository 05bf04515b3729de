import { NotCovered } from '../../../../engine/index.ts'
import type { ToolsNeed } from '../../../tools/target.ts'
import { members } from '../expectations.ts'
import type { AuthWorld } from '../world.ts'

/** The scopes in a space-separated string. */
export const scopesIn = (text: unknown): string[] =>
  typeof text === 'string' ? text.split(' ').filter((one) => one !== '') : []

/**
 * One scope to request, and further scopes. `narrow` is the first scope of the target file, or of
 * the metadata if the target file has no scope. It is undefined if no scope is known. `wider`
 * contains all other scopes of the target file and of the metadata.
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

export const scopesNotCovered = (reason: string): NotCovered =>
  new NotCovered<ToolsNeed>(reason, ['tools.auth.scope'])

/** Like `scopesToWiden`. Throws `NotCovered` if fewer than two scopes are known. */
export async function requireTwoScopes(
  world: AuthWorld,
): Promise<{ narrow: string; wider: readonly string[] }> {
  const { narrow, wider } = await scopesToWiden(world)
  if (narrow === undefined || wider.length === 0)
    throw scopesNotCovered('fewer than two scopes are known')
  return { narrow, wider }
}

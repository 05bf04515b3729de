import type { HttpExchange, HttpRequest } from '../../../wire/index.ts'
import type { HooksWorld } from './world.ts'

/**
 * Sends an unusual creation request, which `build` returns. A service may refuse it for another
 * reason, such as the number of hooks: it then refuses an ordinary one as well, which blocks the
 * check. Otherwise, the unusual one is sent once more.
 */
export async function sendCreation(
  world: HooksWorld,
  build: () => Promise<HttpRequest>,
): Promise<HttpExchange> {
  const { send, sendOrBlock, isSuccess, minimalFields, request } = world
  const first = await send({ ...(await build()), meaning: 'success' })
  if (isSuccess(first)) return first
  await sendOrBlock(request.create(await minimalFields()), 'HOOK-CREATE-01')
  return send({ ...(await build()), meaning: 'success' })
}

import type { Session } from './client-session.ts'
import type { ToolsWorld } from './world.ts'

/**
 * Returns the session with exchanges that use neither the gate (the limit on concurrent requests)
 * nor the upstream lock.
 */
export const unlimited = ({ record }: Pick<ToolsWorld, 'record'>, session: Session): Session =>
  session.withRunner({ run: async (_, send) => record(await send()) })

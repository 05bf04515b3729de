import type { Check } from '../../../../engine/index.ts'
import type { ToolsMessage } from '../../message.ts'
import type { ToolsWorld } from '../../world.ts'

/** Checks of users, introspection and revocation. */
export const provider: readonly Check<ToolsWorld, ToolsMessage>[] = []

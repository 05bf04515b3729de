import type { Check } from '../../../../engine/index.ts'
import type { ToolsMessage } from '../../message.ts'
import type { ToolsWorld } from '../../world.ts'

/** Checks of refresh tokens, and the end of access tokens. */
export const refresh: readonly Check<ToolsWorld, ToolsMessage>[] = []

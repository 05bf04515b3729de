import type { Check } from '../../../../engine/index.ts'
import type { ToolsMessage } from '../../message.ts'
import type { ToolsWorld } from '../../world.ts'

/** Checks of the token endpoint. */
export const token: readonly Check<ToolsWorld, ToolsMessage>[] = []

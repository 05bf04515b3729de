import type { Check } from '../../../../engine/index.ts'
import type { ToolsMessage } from '../../message.ts'
import type { ToolsWorld } from '../../world.ts'

/** Checks of the flow as a whole. */
export const flow: readonly Check<ToolsWorld, ToolsMessage>[] = []

import type { Check } from '../../../../engine/index.ts'
import type { ToolsMessage } from '../../message.ts'
import type { ToolsWorld } from '../../world.ts'

/** Checks of what is recommended. */
export const practice: readonly Check<ToolsWorld, ToolsMessage>[] = []

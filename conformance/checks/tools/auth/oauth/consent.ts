import type { Check } from '../../../../engine/index.ts'
import type { ToolsMessage } from '../../message.ts'
import type { ToolsWorld } from '../../world.ts'

/** Checks of what a user decides. */
export const consent: readonly Check<ToolsWorld, ToolsMessage>[] = []

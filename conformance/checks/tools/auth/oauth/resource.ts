import type { Check } from '../../../../engine/index.ts'
import type { ToolsMessage } from '../../message.ts'
import type { ToolsWorld } from '../../world.ts'

/** Checks of the resource behind the tokens. */
export const resource: readonly Check<ToolsWorld, ToolsMessage>[] = []

import type { Check } from '../../../../engine/index.ts'
import type { ToolsMessage } from '../../message.ts'
import type { ToolsWorld } from '../../world.ts'

/** Checks of metadata. */
export const metadata: readonly Check<ToolsWorld, ToolsMessage>[] = []

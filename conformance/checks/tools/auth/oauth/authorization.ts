import type { Check } from '../../../../engine/index.ts'
import type { ToolsMessage } from '../../message.ts'
import type { ToolsWorld } from '../../world.ts'

/** Checks of the authorization endpoint. */
export const authorization: readonly Check<ToolsWorld, ToolsMessage>[] = []

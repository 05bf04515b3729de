import type { Check } from '../../../../engine/index.ts'
import type { ToolsMessage } from '../../message.ts'
import type { ToolsWorld } from '../../world.ts'

/** Checks of the registration of clients. */
export const registration: readonly Check<ToolsWorld, ToolsMessage>[] = []

import type { Check } from '../../../../engine/index.ts'
import type { ToolsMessage } from '../../message.ts'
import type { ToolsWorld } from '../../world.ts'

/** Checks of the identity provider behind a proxy. */
export const proxy: readonly Check<ToolsWorld, ToolsMessage>[] = []

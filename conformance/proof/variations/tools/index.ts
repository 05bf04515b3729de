import type { RequirementId } from '../../../../generated/requirements/index.ts'
import type { Exclusion } from '../variation.ts'
import { clock } from './clock.ts'
import { input } from './input.ts'
import { pages } from './pages.ts'
import { protocol } from './protocol.ts'
import { results } from './results.ts'
import { notifications } from './notifications.ts'
import { transports } from './transports.ts'
import type { ToolsFactor } from './variation.ts'

/** All factors of tool servers. */
export const factors: readonly ToolsFactor[] = [
  ...input,
  ...results,
  ...pages,
  ...notifications,
  ...transports,
  ...protocol,
  ...clock,
]

/** Pairs of values that are not combined. */
export const exclusions: readonly Exclusion[] = []

/** Open requirements without values, each with the reason. */
export const withoutVariations: Readonly<Partial<Record<RequirementId, string>>> = {
  'TOOL-RATE-01': 'a server that refuses some calls of the suite fails no check, but blocks some',
}

import type { RequirementId } from '../../../../generated/requirements/index.ts'
import type { Exclusion } from '../variation.ts'
import { clock } from './clock.ts'
import { input } from './input.ts'
import { pages } from './pages.ts'
import { protocol } from './protocol.ts'
import { results } from './results.ts'
import { telling } from './telling.ts'
import { transports } from './transports.ts'
import type { ToolsFactor } from './variation.ts'

/** All freedoms of a tool server. */
export const factors: readonly ToolsFactor[] = [
  ...input,
  ...results,
  ...pages,
  ...telling,
  ...transports,
  ...protocol,
  ...clock,
]

/** Pairs of levels that are not tried together. */
export const exclusions: readonly Exclusion[] = []

/** Open rows that have no levels, each with the reason. */
export const withoutVariations: Readonly<Partial<Record<RequirementId, string>>> = {
  'TOOL-RATE-01':
    "how many calls the suite makes in a while is no legal server's affair: one that refuses some of them blocks the checks that make them, and fails none",
}

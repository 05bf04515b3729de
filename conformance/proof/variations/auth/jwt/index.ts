import type { RequirementId } from '../../../../../generated/requirements/index.ts'
import type { Exclusion } from '../../variation.ts'
import type { AuthFactor } from '../variation.ts'
import { refusals } from './refusals.ts'
import { server } from './server.ts'
import { tokens } from './tokens.ts'

/** All freedoms of a server of pattern 2. */
export const factors: readonly AuthFactor[] = [...server, ...tokens, ...refusals]

/** Pairs of levels that are not tried together. */
export const exclusions: readonly Exclusion[] = []

/** Open rows that have no levels, each with the reason. */
export const withoutVariations: Readonly<Partial<Record<RequirementId, string>>> = {}

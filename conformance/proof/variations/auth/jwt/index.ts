import type { RequirementId } from '../../../../../generated/requirements/index.ts'
import type { Exclusion } from '../../variation.ts'
import type { AuthFactor } from '../variation.ts'
import { refusals } from './refusals.ts'
import { server } from './server.ts'
import { tokens } from './tokens.ts'

/** All factors of JWT. */
export const factors: readonly AuthFactor[] = [...server, ...tokens, ...refusals]

/** Pairs of values that are not combined. */
export const exclusions: readonly Exclusion[] = []

/** Open requirements without values, each with the reason. */
export const withoutVariations: Readonly<Partial<Record<RequirementId, string>>> = {}

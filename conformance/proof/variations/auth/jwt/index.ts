import type { Exclusion } from '../../variation.ts'
import type { AuthFactor } from '../variation.ts'
import { refusals } from './refusals.ts'
import { server } from './server.ts'
import { tokens } from './tokens.ts'

/** All factors of JWT. */
export const factors: readonly AuthFactor[] = [...server, ...tokens, ...refusals]

/** Pairs of values that are not combined. */
export const exclusions: readonly Exclusion[] = []

import { acknowledgementChecks } from './acknowledgement.ts'
import { robustnessChecks } from './robustness.ts'
import { tokensChecks } from './tokens.ts'

/** Every check of a receiver. */
export const checks = [...acknowledgementChecks, ...tokensChecks, ...robustnessChecks]

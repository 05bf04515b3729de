import { acknowledgement } from './acknowledgement.ts'
import { robustness } from './robustness.ts'
import { tokens } from './tokens.ts'

/** Every check of a receiver. */
export const checks = [...acknowledgement, ...tokens, ...robustness]

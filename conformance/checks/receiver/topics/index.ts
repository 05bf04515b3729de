import { acknowledgementChecks } from './acknowledgement.ts'
import { formsChecks } from './forms.ts'
import { robustnessChecks } from './robustness.ts'
import { tokensChecks } from './tokens.ts'

/** Every check of a receiver. */
export const checks = [
  ...acknowledgementChecks,
  ...tokensChecks,
  ...formsChecks,
  ...robustnessChecks,
]

import { acknowledgementChecks } from './acknowledgement.ts'
import { formsChecks } from './forms.ts'
import { robustnessChecks } from './robustness.ts'
import { tokensChecks } from './tokens.ts'

/** All checks of receivers. */
export const checks = [
  ...acknowledgementChecks,
  ...tokensChecks,
  ...formsChecks,
  ...robustnessChecks,
]

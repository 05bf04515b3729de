import { headerRules } from '../../../../../generated/auth/rules.ts'
import type { MutantFault } from '../../fault.ts'
import type { AuthDeviation } from '../fault.ts'
import { headerMutants } from '../header-mutants.ts'
import { withChallenge } from './refusals.ts'

/** The mutants of pattern 2: the header that asks for a token. */
export const mutants: readonly MutantFault<AuthDeviation>[] = headerMutants({
  requirement: 'AUTH-JWT-31',
  header: headerRules['AUTH-JWT-31'].header,
  pattern: headerRules['AUTH-JWT-31'].pattern,
  messageKind: 'resource failure',
  messageName: 'refusal of pattern 2',
  make: withChallenge,
})

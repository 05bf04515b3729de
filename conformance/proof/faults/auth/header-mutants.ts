import type { RequirementId } from '../../../../generated/requirements/index.ts'
import type { MutantFault } from '../fault.ts'
import type { MakeAuthDeviation } from './building.ts'
import type { AuthDeviation } from './fault.ts'

interface HeaderPlace {
  readonly requirement: RequirementId
  readonly header: string
  readonly pattern: string
  readonly messageKind: string
  /** The name of the message in a sentence, such as `refusal of pattern 2`. */
  readonly messageName: string
  /** Sets the header of the messages; undefined removes it. */
  make(value: string | undefined): MakeAuthDeviation
}

/**
 * Makes the mutants of a header. In one mutant the header is missing, in the other its value does
 * not match the pattern.
 */
export function headerMutants({
  requirement,
  header,
  pattern,
  messageKind,
  messageName,
  make,
}: HeaderPlace): MutantFault<AuthDeviation>[] {
  const wrong = '"none"'
  if (new RegExp(pattern, 'u').test(wrong)) throw new Error(`${pattern} matches ${wrong}`)
  const newMutant = (
    how: string,
    description: string,
    value: string | undefined,
  ): MutantFault<AuthDeviation> => ({
    name: `${messageName}: ${header} ${how}`,
    description: `In the ${messageName}, ${header} ${description}.`,
    violates: [requirement],
    messageKind,
    make: make(value),
  })
  return [
    newMutant('missing', 'is missing', undefined),
    newMutant('of a wrong form', 'has a wrong form', wrong),
  ]
}

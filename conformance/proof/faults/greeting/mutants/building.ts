import { messages, type Field } from '../../../../../generated/greeting/index.ts'
import type { RequirementId } from '../../../../../generated/requirements/index.ts'
import type { MutantFault } from '../../fault.ts'
import { replaceRules, stringField } from '../building.ts'
import type { GreetingDeviation } from '../fault.ts'

export type GreetingMutant = MutantFault<GreetingDeviation>
type Make = GreetingMutant['make']

/** One way in which a server can deviate from the contract. */
export interface Deviation {
  /** The end of the mutant's name, as in `message: {how}`. */
  readonly how: string
  /** The end of the mutant's description, as in `message {description}.` */
  readonly description: string
  readonly violates: readonly RequirementId[]
  readonly make: Make
}

/**
 * Makes the mutants of one part of the contract, such as a field. Their names begin with `part`.
 */
export const mutantsAt = (
  part: string,
  partName: string,
  messageKind: string,
  deviations: readonly Deviation[],
): GreetingMutant[] =>
  deviations.map(({ how, description, violates, make }) => ({
    name: `${part}: ${how}`,
    description: `${partName} ${description}.`,
    violates,
    messageKind,
    make,
  }))

/** The kind of a stream of greetings with at least one response. */
export const greetings = 'greet success'

/**
 * Encodes a tag and the bytes that follow it. A field number up to 15, the maximum in the contract,
 * fits into a tag of one byte.
 */
export const rawField = (number: number, wireType: number, ...bytes: number[]): Buffer =>
  Buffer.from([(number << 3) | wireType, ...bytes])

/** A field number that the contract does not define. */
export const unusedNumber = 9

/**
 * Encodes responses field by field. `encode` encodes `field`; all other fields are encoded as
 * usual.
 */
export const withField = (
  field: Field,
  encode: (value: string, all: Readonly<Record<string, string>>) => Buffer,
): Make =>
  replaceRules((_rules, hit) => ({
    encode(response) {
      hit()
      const values = response as Readonly<Record<string, string>>
      return Buffer.concat(
        messages.GreetingResponse.map((one) => {
          const value = values[one.name] ?? ''
          return one === field ? encode(value, values) : stringField(one.number, value)
        }),
      )
    },
  }))

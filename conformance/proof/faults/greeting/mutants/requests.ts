import {
  bidirectionalGreeting as method,
  messages,
  type Field,
  type GreetingRequest,
} from '../../../../../generated/greeting/index.ts'
import type { RequirementId } from '../../../../../generated/requirements/index.ts'
import { replaceRules } from '../building.ts'
import { readFields } from '../fields.ts'
import {
  greetings,
  mutantsAt,
  unusedNumber,
  type Deviation,
  type GreetingMutant,
} from './building.ts'

const fields = messages[method.input]

/**
 * The requirements that a server also violates if it does not read a field. GRT-NAME-06 recommends
 * greetings that contain the requested name.
 */
const unread: Readonly<Record<string, readonly RequirementId[]>> = { name: ['GRT-NAME-06'] }

/** Decodes requests with other numbers of fields. An absent field is empty. */
const decodedWith = (numbers: Readonly<Record<string, number>>) =>
  replaceRules((_rules, hit) => ({
    decode(bytes) {
      hit()
      const found = readFields(bytes)
      return Object.fromEntries(
        fields.map(({ name }) => [
          name,
          Buffer.from(
            found.findLast(({ number }) => number === numbers[name])?.bytes ?? [],
          ).toString(),
        ]),
      ) as unknown as GreetingRequest
    },
  }))

const numbers = Object.fromEntries(fields.map(({ name, number }) => [name, number]))

/** Refuses requests in which the field is a string, like a decoder that expects a number. */
const refuseString = ({ number }: Field) =>
  replaceRules(({ decode }, hit) => ({
    decode(bytes) {
      if (readFields(bytes).some((field) => field.number === number && field.wireType === 2)) {
        hit()
        throw new Error('a number was expected')
      }
      return decode(bytes)
    },
  }))

function deviationsOf(field: Field): Deviation[] {
  const { name, requirement } = field
  const unreadRequirements = unread[name]
  return [
    ...(unreadRequirements === undefined
      ? []
      : [
          {
            how: 'read from another number',
            description: 'is read from another field, which no client sends',
            violates: [requirement, ...unreadRequirements],
            make: decodedWith({ ...numbers, [name]: unusedNumber }),
          },
          ...fields
            .filter((other) => other !== field)
            .map((other) => ({
              how: `read from the number of ${other.name}`,
              description: `has the number of ${other.name}, which has the number of ${name}`,
              violates: [requirement, ...unreadRequirements],
              make: decodedWith({ ...numbers, [name]: other.number, [other.name]: field.number }),
            })),
        ]),
    {
      how: 'read as a number',
      description: 'is read as a number, so a string is an error',
      violates: [requirement, 'GRT-SERVICE-02'],
      make: refuseString(field),
    },
  ]
}

/** The mutants of each field of a request. */
export const requests: readonly GreetingMutant[] = fields.flatMap((field) =>
  mutantsAt(
    `${method.input}.${field.name}`,
    `In requests, ${field.name}`,
    greetings,
    deviationsOf(field),
  ),
)

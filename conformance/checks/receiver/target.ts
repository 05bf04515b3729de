import { eventNames } from '../../../generated/events/names.ts'
import {
  secret,
  section,
  url,
  word,
  words,
  type PathOf,
  type SectionOf,
} from '../../target-file/section.ts'
import type { SuitePath } from '../../target-file/suite.ts'

/** The section of the target file for a receiver. */
export const receiverSection = section(
  'receiver',
  {
    url: url({
      description: 'URL at which the receiver accepts deliveries',
      example: 'http://127.0.0.1:4030/hook',
      required: true,
    }),
    secret: secret({
      description: 'secret token that the receiver expects',
      example: '${RECEIVER_SECRET}',
      variable: 'RECEIVER_SECRET',
    }),
    events: words(eventNames, {
      description: 'events that the receiver accepts',
      example: '[push, tag_push]',
      default: eventNames,
    }),
    onMismatch: word(['refuse', 'drop'], {
      description:
        'what the receiver does with a delivery whose token is wrong: refuse (respond with an error) or drop (acknowledge and ignore it)',
      example: 'refuse',
      default: 'refuse',
    }),
  },
  {
    identifyingKeys: ['url'],
    label: ({ url }) => `the receiver at ${url}`,
  },
)

/** A program that receives deliveries. */
export type ReceiverTarget = SectionOf<typeof receiverSection>

/** Keys of the target file that checks of receivers can need. */
export type ReceiverNeed = PathOf<typeof receiverSection> | SuitePath

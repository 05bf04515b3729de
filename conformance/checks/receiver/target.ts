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

/** What a target file tells of a receiver. */
export const receiverSection = section(
  'receiver',
  {
    url: url({
      says: 'where the receiver takes deliveries',
      example: 'http://127.0.0.1:4030/hook',
      required: true,
    }),
    secret: secret({
      says: 'the secret token that it compares with',
      example: '${RECEIVER_SECRET}',
      variable: 'RECEIVER_SECRET',
    }),
    events: words(eventNames, {
      says: 'the events that it takes',
      example: '[push, tag_push]',
      default: eventNames,
    }),
    onMismatch: word(['refuse', 'drop'], {
      says: 'what it does with a wrong token: refuse it, or acknowledge and drop it',
      example: 'refuse',
      default: 'refuse',
    }),
  },
  {
    places: ['url'],
    label: ({ url }) => `receiver at ${url}`,
  },
)

/** A program that takes deliveries. */
export type ReceiverTarget = SectionOf<typeof receiverSection>

/** What its checks can need of a target file. */
export type ReceiverNeed = PathOf<typeof receiverSection> | SuitePath

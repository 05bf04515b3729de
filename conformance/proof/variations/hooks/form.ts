import { withHeader } from '../../faults/hooks/building.ts'
import type { HooksFactor } from './variation.ts'
import { deliveries } from './building.ts'

/** Perturbations of form: what HTTP and JSON leave to whoever writes them, in answers and in deliveries. */
export const form: readonly HooksFactor[] = [
  {
    requirement: 'form',
    name: 'members of answers',
    levels: [
      { name: 'few', description: 'Answers what is needed.' },
      {
        name: 'many',
        description: 'Adds members to every object.',
        choices: { extraFields: true },
      },
    ],
  },
  {
    requirement: 'form',
    name: 'order of the members of answers',
    levels: [
      { name: 'natural', description: 'Writes members in a natural order.' },
      {
        name: 'reversed',
        description: 'Writes them the other way round.',
        choices: { keyOrder: 'reversed' },
      },
    ],
  },
  {
    requirement: 'form',
    name: 'text of answers',
    levels: [
      { name: 'compact', description: 'Writes compact JSON.' },
      { name: 'pretty', description: 'Writes JSON for people.', choices: { prettyJson: true } },
    ],
  },
  {
    requirement: 'form',
    name: 'framing of answers',
    levels: [
      { name: 'a length', description: 'Says how long a body is.' },
      { name: 'chunks', description: 'Sends bodies in chunks.', choices: { chunked: true } },
    ],
  },
  {
    requirement: 'form',
    name: 'connections of answers',
    levels: [
      { name: 'kept', description: 'Keeps connections.' },
      {
        name: 'closed',
        description: 'Closes the connection after each answer.',
        choices: { keepAlive: false },
      },
    ],
  },
  {
    requirement: 'form',
    name: 'media type of answers',
    levels: [
      { name: 'plain', description: 'Says application/json.' },
      {
        name: 'with a charset',
        description: 'Names the charset too.',
        choices: { contentTypeCharset: true },
      },
    ],
  },
  {
    requirement: 'form',
    name: 'headers of answers',
    levels: [
      { name: 'canonical', description: 'Writes headers as documents do.' },
      {
        name: 'lower',
        description: 'Writes headers in small letters.',
        choices: { headerCase: 'lower' },
      },
      {
        name: 'upper',
        notCombined: true,
        description: 'Writes headers in capitals.',
        choices: { headerCase: 'upper' },
      },
    ],
  },
  {
    requirement: 'form',
    name: 'order of the members of payloads',
    levels: [
      { name: 'natural', description: 'Writes members in a natural order.' },
      {
        name: 'reversed',
        description: 'Writes them the other way round.',
        choices: { payloadKeyOrder: 'reversed' },
      },
    ],
  },
  {
    requirement: 'form',
    name: 'text of payloads',
    levels: [
      { name: 'compact', description: 'Writes compact JSON.' },
      { name: 'pretty', description: 'Writes JSON for people.', choices: { payloadPretty: true } },
      {
        name: 'escaped',
        notCombined: true,
        description: 'Escapes what is beyond ASCII, and puts white space around.',
        deviation: {
          beforeDelivery: (delivery) => ({
            ...delivery,
            raw: ` \n${JSON.stringify(delivery.body).replace(/[\u0080-\uffff]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`)}\r\n`,
          }),
        },
      },
    ],
  },
  {
    requirement: 'form',
    name: 'framing of deliveries',
    levels: [
      { name: 'a length', description: 'Says how long a body is.' },
      {
        name: 'chunks',
        description: 'Sends bodies in chunks.',
        choices: { deliveryChunked: true },
      },
    ],
  },
  {
    requirement: 'form',
    name: 'connections of deliveries',
    levels: [
      { name: 'kept', description: 'Keeps connections.' },
      {
        name: 'new',
        description: 'Opens a connection for each delivery.',
        choices: { deliveryKeepAlive: false },
      },
    ],
  },
  {
    requirement: 'form',
    name: 'media type of deliveries',
    levels: [
      { name: 'plain', description: 'Says application/json.' },
      {
        name: 'with a charset',
        description: 'Names the charset too.',
        choices: { deliveryCharset: true },
      },
      {
        name: 'of its own',
        notCombined: true,
        description: 'Says that it is JSON of a kind of its own.',
        deviation: deliveries((delivery) =>
          withHeader(delivery, 'Content-Type', 'Application/Vnd.Forge.Event+JSON ; v=1'),
        ),
      },
    ],
  },
  {
    requirement: 'form',
    name: 'headers of deliveries',
    levels: [
      { name: 'canonical', description: 'Writes headers as documents do.' },
      {
        name: 'lower',
        description: 'Writes headers in small letters.',
        choices: { deliveryHeaderCase: 'lower' },
      },
      {
        name: 'upper',
        notCombined: true,
        description: 'Writes headers in capitals.',
        choices: { deliveryHeaderCase: 'upper' },
      },
    ],
  },
]

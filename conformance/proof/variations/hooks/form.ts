import { withHeader } from '../../faults/hooks/building.ts'
import type { HooksFactor } from './variation.ts'
import { deliveries } from './building.ts'

/** Perturbations of form: what HTTP and JSON leave to whoever writes them, in answers and in deliveries. */
export const form: readonly HooksFactor[] = [
  {
    row: 'form',
    factor: 'members of answers',
    levels: [
      { name: 'few', says: 'Answers what is needed.' },
      { name: 'many', says: 'Adds members to every object.', choices: { extraFields: true } },
    ],
  },
  {
    row: 'form',
    factor: 'order of the members of answers',
    levels: [
      { name: 'natural', says: 'Writes members in a natural order.' },
      {
        name: 'reversed',
        says: 'Writes them the other way round.',
        choices: { keyOrder: 'reversed' },
      },
    ],
  },
  {
    row: 'form',
    factor: 'text of answers',
    levels: [
      { name: 'compact', says: 'Writes compact JSON.' },
      { name: 'pretty', says: 'Writes JSON for people.', choices: { prettyJson: true } },
    ],
  },
  {
    row: 'form',
    factor: 'framing of answers',
    levels: [
      { name: 'a length', says: 'Says how long a body is.' },
      { name: 'chunks', says: 'Sends bodies in chunks.', choices: { chunked: true } },
    ],
  },
  {
    row: 'form',
    factor: 'connections of answers',
    levels: [
      { name: 'kept', says: 'Keeps connections.' },
      {
        name: 'closed',
        says: 'Closes the connection after each answer.',
        choices: { keepAlive: false },
      },
    ],
  },
  {
    row: 'form',
    factor: 'media type of answers',
    levels: [
      { name: 'plain', says: 'Says application/json.' },
      {
        name: 'with a charset',
        says: 'Names the charset too.',
        choices: { contentTypeCharset: true },
      },
    ],
  },
  {
    row: 'form',
    factor: 'headers of answers',
    levels: [
      { name: 'canonical', says: 'Writes headers as documents do.' },
      { name: 'lower', says: 'Writes headers in small letters.', choices: { headerCase: 'lower' } },
      {
        name: 'upper',
        alone: true,
        says: 'Writes headers in capitals.',
        choices: { headerCase: 'upper' },
      },
    ],
  },
  {
    row: 'form',
    factor: 'order of the members of payloads',
    levels: [
      { name: 'natural', says: 'Writes members in a natural order.' },
      {
        name: 'reversed',
        says: 'Writes them the other way round.',
        choices: { payloadKeyOrder: 'reversed' },
      },
    ],
  },
  {
    row: 'form',
    factor: 'text of payloads',
    levels: [
      { name: 'compact', says: 'Writes compact JSON.' },
      { name: 'pretty', says: 'Writes JSON for people.', choices: { payloadPretty: true } },
      {
        name: 'escaped',
        alone: true,
        says: 'Escapes what is beyond ASCII, and puts white space around.',
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
    row: 'form',
    factor: 'framing of deliveries',
    levels: [
      { name: 'a length', says: 'Says how long a body is.' },
      { name: 'chunks', says: 'Sends bodies in chunks.', choices: { deliveryChunked: true } },
    ],
  },
  {
    row: 'form',
    factor: 'connections of deliveries',
    levels: [
      { name: 'kept', says: 'Keeps connections.' },
      {
        name: 'new',
        says: 'Opens a connection for each delivery.',
        choices: { deliveryKeepAlive: false },
      },
    ],
  },
  {
    row: 'form',
    factor: 'media type of deliveries',
    levels: [
      { name: 'plain', says: 'Says application/json.' },
      {
        name: 'with a charset',
        says: 'Names the charset too.',
        choices: { deliveryCharset: true },
      },
      {
        name: 'of its own',
        alone: true,
        says: 'Says that it is JSON of a kind of its own.',
        deviation: deliveries((delivery) =>
          withHeader(delivery, 'Content-Type', 'Application/Vnd.Forge.Event+JSON ; v=1'),
        ),
      },
    ],
  },
  {
    row: 'form',
    factor: 'headers of deliveries',
    levels: [
      { name: 'canonical', says: 'Writes headers as documents do.' },
      {
        name: 'lower',
        says: 'Writes headers in small letters.',
        choices: { deliveryHeaderCase: 'lower' },
      },
      {
        name: 'upper',
        alone: true,
        says: 'Writes headers in capitals.',
        choices: { deliveryHeaderCase: 'upper' },
      },
    ],
  },
]

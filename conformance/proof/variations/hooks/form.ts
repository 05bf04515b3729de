import { withHeader } from '../../faults/hooks/building.ts'
import type { HooksFactor } from './variation.ts'
import { changeDeliveries } from './building.ts'

/** Variations of form that HTTP and JSON allow, in responses and in deliveries. */
export const form: readonly HooksFactor[] = [
  {
    requirement: 'none',
    name: 'members of responses',
    values: [
      { name: 'few', description: 'Sends only the documented members.' },
      {
        name: 'many',
        description: 'Adds undocumented members to every object.',
        choices: { extraFields: true },
      },
    ],
  },
  {
    requirement: 'none',
    name: 'order of the members of responses',
    values: [
      { name: 'natural', description: 'Writes members in their usual order.' },
      {
        name: 'reversed',
        description: 'Writes members in reverse order.',
        choices: { keyOrder: 'reversed' },
      },
    ],
  },
  {
    requirement: 'none',
    name: 'spacing of responses',
    values: [
      { name: 'compact', description: 'Writes compact JSON.' },
      { name: 'pretty', description: 'Writes indented JSON.', choices: { prettyJson: true } },
    ],
  },
  {
    requirement: 'none',
    name: 'framing of responses',
    values: [
      { name: 'a length', description: 'Sends bodies with Content-Length.' },
      { name: 'chunks', description: 'Sends chunked bodies.', choices: { chunked: true } },
    ],
  },
  {
    requirement: 'none',
    name: 'connections of responses',
    values: [
      { name: 'kept', description: 'Keeps connections open.' },
      {
        name: 'closed',
        description: 'Closes the connection after each response.',
        choices: { keepAlive: false },
      },
    ],
  },
  {
    requirement: 'none',
    name: 'media type of responses',
    values: [
      { name: 'plain', description: 'Sends application/json.' },
      {
        name: 'with a charset',
        description: 'Adds a charset to the media type.',
        choices: { contentTypeCharset: true },
      },
    ],
  },
  {
    requirement: 'none',
    name: 'headers of responses',
    values: [
      { name: 'canonical', description: 'Writes names of headers in their usual case.' },
      {
        name: 'lower',
        description: 'Writes names of headers in lower case.',
        choices: { headerCase: 'lower' },
      },
      {
        name: 'upper',
        notCombined: true,
        description: 'Writes names of headers in upper case.',
        choices: { headerCase: 'upper' },
      },
    ],
  },
  {
    requirement: 'none',
    name: 'order of the members of payloads',
    values: [
      { name: 'natural', description: 'Writes members in their usual order.' },
      {
        name: 'reversed',
        description: 'Writes members in reverse order.',
        choices: { payloadKeyOrder: 'reversed' },
      },
    ],
  },
  {
    requirement: 'none',
    name: 'spacing of payloads',
    values: [
      { name: 'compact', description: 'Writes compact JSON.' },
      { name: 'pretty', description: 'Writes indented JSON.', choices: { payloadPretty: true } },
      {
        name: 'escaped',
        notCombined: true,
        description: 'Escapes characters beyond ASCII, and adds whitespace.',
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
    requirement: 'none',
    name: 'framing of deliveries',
    values: [
      { name: 'a length', description: 'Sends bodies with Content-Length.' },
      {
        name: 'chunks',
        description: 'Sends chunked bodies.',
        choices: { deliveryChunked: true },
      },
    ],
  },
  {
    requirement: 'none',
    name: 'connections of deliveries',
    values: [
      { name: 'kept', description: 'Keeps connections open.' },
      {
        name: 'new',
        description: 'Opens a connection for each delivery.',
        choices: { deliveryKeepAlive: false },
      },
    ],
  },
  {
    requirement: 'none',
    name: 'media type of deliveries',
    values: [
      { name: 'plain', description: 'Sends application/json.' },
      {
        name: 'with a charset',
        description: 'Adds a charset to the media type.',
        choices: { deliveryCharset: true },
      },
      {
        name: 'custom',
        notCombined: true,
        description: 'Sends a custom media type with the suffix +json.',
        deviation: changeDeliveries((delivery) =>
          withHeader(delivery, 'Content-Type', 'Application/Vnd.Forge.Event+JSON ; v=1'),
        ),
      },
    ],
  },
  {
    requirement: 'none',
    name: 'headers of deliveries',
    values: [
      { name: 'canonical', description: 'Writes names of headers in their usual case.' },
      {
        name: 'lower',
        description: 'Writes names of headers in lower case.',
        choices: { deliveryHeaderCase: 'lower' },
      },
      {
        name: 'upper',
        notCombined: true,
        description: 'Writes names of headers in upper case.',
        choices: { deliveryHeaderCase: 'upper' },
      },
    ],
  },
]

import { defaultRules } from '../../../../mocks/stateful/greeting.ts'
import type { GreetingFactor } from './variation.ts'

/** What the document leaves open of requests and responses. */
export const contents: readonly GreetingFactor[] = [
  {
    row: 'GRT-RPC-05',
    factor: 'responses to requests',
    levels: [
      { name: 'one each', says: 'Gives one response to each request.' },
      {
        name: 'two each',
        alone: true,
        says: 'Gives two responses to each request.',
        choices: { pairing: 'two' },
      },
      {
        name: 'one for three',
        says: 'Gives one response to three requests.',
        choices: { pairing: 'batched' },
      },
      {
        name: 'after the last',
        alone: true,
        says: 'Gives all responses after the last request.',
        choices: { pairing: 'after' },
      },
      {
        name: 'backwards',
        says: 'Gives all responses after the last request, and the last one first.',
        choices: { pairing: 'backwards' },
      },
      {
        name: 'one for all',
        alone: true,
        says: 'Gives one response to all requests.',
        choices: { pairing: 'together' },
      },
      {
        name: 'framed',
        says: 'Gives a welcome and a farewell too.',
        choices: { pairing: 'framed' },
      },
    ],
  },
  {
    row: 'GRT-RESPONSE-03',
    factor: 'wording',
    levels: [
      { name: 'hello', says: 'Says hello to a name.' },
      { name: 'the name', says: 'Says the name and nothing else.', choices: { wording: 'bare' } },
      { name: 'long', alone: true, says: 'Says a lot.', choices: { wording: 'long' } },
      {
        name: 'shouted',
        alone: true,
        says: 'Tells names in capitals.',
        choices: { wording: 'shouted' },
      },
      { name: 'without a name', says: 'Greets without a name.', choices: { wording: 'anonymous' } },
    ],
  },
  {
    row: 'GRT-REQUEST-03',
    factor: 'identifiers in responses',
    levels: [
      { name: 'none', says: 'Tells no identifiers.' },
      {
        name: 'told',
        says: 'Tells the identifiers of the requests that a response answers.',
        deviation: {
          rules: {
            message: (requests, choices) =>
              `${defaultRules.message(requests, choices)} [${requests.map(({ request_id: id }) => id).join(', ')}]`,
          },
        },
      },
    ],
  },
  {
    row: 'GRT-RESPONSE-07',
    factor: 'form of times',
    levels: [
      { name: 'RFC 3339', says: 'Tells times in UTC, with milliseconds.' },
      {
        name: 'offset',
        alone: true,
        says: 'Tells times with an offset.',
        choices: { timestamp: 'offset' },
      },
      {
        name: 'nanoseconds',
        alone: true,
        says: 'Tells times with nine decimals.',
        choices: { timestamp: 'nanos' },
      },
      { name: 'plain', says: 'Tells times without a zone.', choices: { timestamp: 'plain' } },
      {
        name: 'HTTP',
        alone: true,
        says: 'Tells times as HTTP does.',
        choices: { timestamp: 'http' },
      },
      { name: 'seconds', says: 'Tells seconds since 1970.', choices: { timestamp: 'seconds' } },
      {
        name: 'milliseconds',
        alone: true,
        says: 'Tells milliseconds since 1970.',
        choices: { timestamp: 'millis' },
      },
      {
        name: 'in words',
        alone: true,
        says: 'Tells times in words.',
        deviation: { rules: { timestamp: () => 'a quarter past nine in the morning' } },
      },
    ],
  },
  {
    row: 'GRT-REQUEST-04',
    factor: 'requests without a name',
    levels: [
      { name: 'greeted', says: 'Greets a stranger.' },
      {
        name: 'refused',
        says: 'Refuses a request without a name.',
        choices: { emptyName: 'refuse' },
      },
      {
        name: 'left out',
        says: 'Gives no response to a request without a name.',
        choices: { emptyName: 'skip' },
      },
    ],
  },
  {
    row: 'GRT-REQUEST-05',
    factor: 'identifiers that come again',
    levels: [
      { name: 'greeted', says: 'Greets again.' },
      {
        name: 'refused',
        says: 'Refuses an identifier that came before on the stream.',
        choices: { repeatedId: 'refuse' },
      },
      {
        name: 'left out',
        says: 'Gives no second response to an identifier.',
        choices: { repeatedId: 'skip' },
      },
    ],
  },
  {
    row: 'GRT-REQUEST-06',
    factor: 'requests without an identifier',
    levels: [
      { name: 'greeted', says: 'Greets all the same.' },
      {
        name: 'refused',
        says: 'Refuses a request without an identifier.',
        choices: { missingId: 'refuse' },
      },
      {
        name: 'left out',
        says: 'Gives no response to a request without an identifier.',
        choices: { missingId: 'skip' },
      },
    ],
  },
  {
    row: 'GRT-RPC-06',
    factor: 'streams without a request',
    levels: [
      { name: 'OK', says: 'Ends with OK where no request came.' },
      {
        name: 'refused',
        says: 'Refuses a stream without a request.',
        choices: { noRequests: 'refuse' },
      },
    ],
  },
]

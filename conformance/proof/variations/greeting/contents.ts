import { defaultRules } from '../../../../mocks/stateful/greeting.ts'
import type { GreetingFactor } from './variation.ts'

/** What the document leaves open of requests and responses. */
export const contents: readonly GreetingFactor[] = [
  {
    requirement: 'GRT-RPC-05',
    name: 'responses to requests',
    levels: [
      { name: 'one each', description: 'Gives one response to each request.' },
      {
        name: 'two each',
        notCombined: true,
        description: 'Gives two responses to each request.',
        choices: { pairing: 'two' },
      },
      {
        name: 'one for three',
        description: 'Gives one response to three requests.',
        choices: { pairing: 'batched' },
      },
      {
        name: 'after the last',
        notCombined: true,
        description: 'Gives all responses after the last request.',
        choices: { pairing: 'after' },
      },
      {
        name: 'backwards',
        description: 'Gives all responses after the last request, and the last one first.',
        choices: { pairing: 'backwards' },
      },
      {
        name: 'one for all',
        notCombined: true,
        description: 'Gives one response to all requests.',
        choices: { pairing: 'together' },
      },
      {
        name: 'framed',
        description: 'Gives a welcome and a farewell too.',
        choices: { pairing: 'framed' },
      },
    ],
  },
  {
    requirement: 'GRT-RESPONSE-03',
    name: 'wording',
    levels: [
      { name: 'hello', description: 'Says hello to a name.' },
      {
        name: 'the name',
        description: 'Says the name and nothing else.',
        choices: { wording: 'bare' },
      },
      { name: 'long', notCombined: true, description: 'Says a lot.', choices: { wording: 'long' } },
      {
        name: 'shouted',
        notCombined: true,
        description: 'Tells names in capitals.',
        choices: { wording: 'shouted' },
      },
      {
        name: 'without a name',
        description: 'Greets without a name.',
        choices: { wording: 'anonymous' },
      },
    ],
  },
  {
    requirement: 'GRT-REQUEST-03',
    name: 'identifiers in responses',
    levels: [
      { name: 'none', description: 'Tells no identifiers.' },
      {
        name: 'told',
        description: 'Tells the identifiers of the requests that a response answers.',
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
    requirement: 'GRT-RESPONSE-07',
    name: 'form of times',
    levels: [
      { name: 'RFC 3339', description: 'Tells times in UTC, with milliseconds.' },
      {
        name: 'offset',
        notCombined: true,
        description: 'Tells times with an offset.',
        choices: { timestamp: 'offset' },
      },
      {
        name: 'nanoseconds',
        notCombined: true,
        description: 'Tells times with nine decimals.',
        choices: { timestamp: 'nanos' },
      },
      {
        name: 'plain',
        description: 'Tells times without a zone.',
        choices: { timestamp: 'plain' },
      },
      {
        name: 'HTTP',
        notCombined: true,
        description: 'Tells times as HTTP does.',
        choices: { timestamp: 'http' },
      },
      {
        name: 'seconds',
        description: 'Tells seconds since 1970.',
        choices: { timestamp: 'seconds' },
      },
      {
        name: 'milliseconds',
        notCombined: true,
        description: 'Tells milliseconds since 1970.',
        choices: { timestamp: 'millis' },
      },
      {
        name: 'in words',
        notCombined: true,
        description: 'Tells times in words.',
        deviation: { rules: { timestamp: () => 'a quarter past nine in the morning' } },
      },
    ],
  },
  {
    requirement: 'GRT-REQUEST-04',
    name: 'requests without a name',
    levels: [
      { name: 'greeted', description: 'Greets a stranger.' },
      {
        name: 'refused',
        description: 'Refuses a request without a name.',
        choices: { emptyName: 'refuse' },
      },
      {
        name: 'left out',
        description: 'Gives no response to a request without a name.',
        choices: { emptyName: 'skip' },
      },
    ],
  },
  {
    requirement: 'GRT-REQUEST-05',
    name: 'identifiers that come again',
    levels: [
      { name: 'greeted', description: 'Greets again.' },
      {
        name: 'refused',
        description: 'Refuses an identifier that came before on the stream.',
        choices: { repeatedId: 'refuse' },
      },
      {
        name: 'left out',
        description: 'Gives no second response to an identifier.',
        choices: { repeatedId: 'skip' },
      },
    ],
  },
  {
    requirement: 'GRT-REQUEST-06',
    name: 'requests without an identifier',
    levels: [
      { name: 'greeted', description: 'Greets all the same.' },
      {
        name: 'refused',
        description: 'Refuses a request without an identifier.',
        choices: { missingId: 'refuse' },
      },
      {
        name: 'left out',
        description: 'Gives no response to a request without an identifier.',
        choices: { missingId: 'skip' },
      },
    ],
  },
  {
    requirement: 'GRT-RPC-06',
    name: 'streams without a request',
    levels: [
      { name: 'OK', description: 'Ends with OK where no request came.' },
      {
        name: 'refused',
        description: 'Refuses a stream without a request.',
        choices: { noRequests: 'refuse' },
      },
    ],
  },
]

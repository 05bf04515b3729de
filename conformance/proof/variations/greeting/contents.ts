import { defaultRules } from '../../../../mocks/stateful/greeting.ts'
import type { GreetingFactor } from './variation.ts'

const digits = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine']

/** Writes the time of day in words, digit by digit. */
const inWords = (now: number) =>
  new Date(now)
    .toISOString()
    .slice(11, 19)
    .replace(/\d/g, (digit) => `${digits[Number(digit)]} `)

/** Choices that the document leaves for requests and responses. */
export const contents: readonly GreetingFactor[] = [
  {
    requirement: 'GRT-RPC-05',
    name: 'responses to requests',
    values: [
      { name: 'one to each request', description: 'Sends one response to each request.' },
      {
        name: 'two to each request',
        notCombined: true,
        description: 'Sends two responses to each request.',
        choices: { pairing: 'two' },
      },
      {
        name: 'one to every three requests',
        description: 'Sends one response to every three requests.',
        choices: { pairing: 'batched' },
      },
      {
        name: 'one to each request, after the last request',
        notCombined: true,
        description: 'Sends all responses in order after the last request.',
        choices: { pairing: 'after' },
      },
      {
        name: 'one to each request, after the last request and in reverse order',
        description: 'Sends all responses in reverse order after the last request.',
        choices: { pairing: 'backwards' },
      },
      {
        name: 'one to all requests together',
        notCombined: true,
        description: 'Sends one response to all requests.',
        choices: { pairing: 'together' },
      },
      {
        name: 'one to each request, plus one at the start and one at the end of the stream',
        description: 'Also sends a welcome and a farewell.',
        choices: { pairing: 'framed' },
      },
    ],
  },
  {
    requirement: 'GRT-RESPONSE-03',
    name: 'wording of greetings',
    values: [
      { name: 'hello and the name', description: 'Greets with hello and the name.' },
      {
        name: 'only the name',
        description: 'Greets with the name alone.',
        choices: { wording: 'bare' },
      },
      {
        name: 'a long text',
        notCombined: true,
        description: 'Greets with a long text.',
        choices: { wording: 'long' },
      },
      {
        name: 'the name in capitals',
        notCombined: true,
        description: 'Writes names in capitals.',
        choices: { wording: 'shouted' },
      },
      {
        name: 'without a name',
        description: 'Does not include the name in greetings.',
        choices: { wording: 'anonymous' },
        unmet: ['GRT-NAME-06'],
      },
    ],
  },
  {
    requirement: 'GRT-REQUEST-03',
    name: 'request_id in responses',
    values: [
      { name: 'absent', description: 'Does not return identifiers.' },
      {
        name: 'present',
        description: 'Returns the identifiers of the greeted requests.',
        deviation: {
          rules: {
            formatMessage: (requests, choices) =>
              `${defaultRules.formatMessage(requests, choices)} [${requests.map(({ request_id: id }) => id).join(', ')}]`,
          },
        },
      },
    ],
  },
  {
    requirement: 'GRT-RESPONSE-07',
    name: 'format of server_timestamp',
    values: [
      { name: 'RFC 3339 in UTC', description: 'Writes times in UTC with milliseconds.' },
      {
        name: 'RFC 3339 with an offset',
        notCombined: true,
        description: 'Writes times with an offset.',
        choices: { timestamp: 'offset' },
      },
      {
        name: 'RFC 3339 with nine decimals',
        notCombined: true,
        description: 'Writes times with nine decimals.',
        choices: { timestamp: 'nanos' },
      },
      {
        name: 'a date and a time without a time zone',
        description: 'Writes times without a zone.',
        choices: { timestamp: 'plain' },
      },
      {
        name: 'the format of HTTP headers',
        notCombined: true,
        description: 'Writes times as in HTTP headers.',
        choices: { timestamp: 'http' },
      },
      {
        name: 'seconds since 1970',
        description: 'Writes seconds since 1970.',
        choices: { timestamp: 'seconds' },
      },
      {
        name: 'milliseconds since 1970',
        notCombined: true,
        description: 'Writes milliseconds since 1970.',
        choices: { timestamp: 'millis' },
      },
      {
        name: 'in words',
        notCombined: true,
        description: 'Writes times in words.',
        deviation: { rules: { formatTimestamp: inWords } },
      },
    ],
  },
  {
    requirement: 'GRT-REQUEST-04',
    name: 'requests without a name',
    values: [
      { name: 'greeted', description: 'Greets "stranger" if a request has no name.' },
      {
        name: 'refused',
        description: 'Refuses a request without a name.',
        choices: { emptyName: 'refuse' },
      },
      {
        name: 'no response',
        description: 'Sends no response to a request without a name.',
        choices: { emptyName: 'skip' },
      },
    ],
  },
  {
    requirement: 'GRT-REQUEST-05',
    name: 'requests with a repeated request_id',
    values: [
      { name: 'greeted', description: 'Responds to a repeated identifier as to a new one.' },
      {
        name: 'refused',
        description: 'Refuses an identifier that was used before on the stream.',
        choices: { repeatedId: 'refuse' },
      },
      {
        name: 'no response',
        description: 'Sends no second response to an identifier.',
        choices: { repeatedId: 'skip' },
      },
    ],
  },
  {
    requirement: 'GRT-REQUEST-06',
    name: 'requests without a request_id',
    values: [
      {
        name: 'greeted',
        description: 'Responds to a request without an identifier as to any other.',
      },
      {
        name: 'refused',
        description: 'Refuses a request without an identifier.',
        choices: { missingId: 'refuse' },
      },
      {
        name: 'no response',
        description: 'Sends no response to a request without an identifier.',
        choices: { missingId: 'skip' },
      },
    ],
  },
  {
    requirement: 'GRT-RPC-06',
    name: 'streams without a request',
    values: [
      { name: 'ended with status OK', description: 'Ends with OK if there was no request.' },
      {
        name: 'refused',
        description: 'Refuses a stream without a request.',
        choices: { noRequests: 'refuse' },
      },
    ],
  },
]

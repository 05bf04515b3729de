import { describe, expect, it } from 'vitest'
import * as meanings from './meanings.ts'

const { expresses, status } = meanings

/** The error messages of three servers for the same failures. */
const wordings = [
  {
    404: 'Error: Resource not found. Please check the ID is correct.',
    403: "Error: Permission denied. You don't have access to this resource.",
    429: 'Error: Rate limit exceeded. Please wait before making more requests.',
    401: 'Error: Invalid API authentication.',
    500: 'Error: API request failed with status 500',
    timeout: 'Error: Request timed out. Please try again.',
    reset: 'Error: Unexpected error occurred: ConnectError',
    garbage: 'Error: Unexpected error occurred: JSONDecodeError',
    nothing: "No users found matching 'x'",
  },
  {
    404: 'Error: there is no such book; look at the identifier',
    403: 'Error: forbidden',
    429: 'Error: too many requests, try again in a minute',
    401: 'Error: bad credentials',
    500: 'Error: HTTP 500',
    timeout: 'Error: the API did not respond within 30 seconds',
    reset: 'Error: something went wrong (ECONNRESET)',
    garbage: 'Error: unknown problem, the response is not JSON',
    nothing: 'Error: nothing matches.',
  },
  {
    404: 'Error: The requested thing does not exist — is the id right?',
    403: 'Error: you are not allowed to see this',
    429: 'Error: quota used up, slow down',
    401: 'Error: the API key was not accepted',
    500: 'Error: upstream answered (500)',
    timeout: 'Error: timeout',
    reset: 'Error: unexpected network failure: the connection was closed',
    garbage: 'Error: internal failure while parsing',
    nothing: "Couldn't find any matches.",
  },
]

describe('the meaning of an error message', () => {
  it.each(wordings)('is recognized in any wording: $404', (messages) => {
    expect(expresses(messages[404], meanings.nothingFound)).toBe(true)
    expect(expresses(messages[404], meanings.lookAtIdentifier)).toBe(true)
    expect(expresses(messages[403], meanings.noPermission)).toBe(true)
    expect(expresses(messages[429], meanings.rateLimit)).toBe(true)
    expect(expresses(messages[429], meanings.waitFirst)).toBe(true)
    expect(expresses(messages[401], meanings.invalidAuthentication)).toBe(true)
    expect(expresses(messages[500], status(500))).toBe(true)
    expect(expresses(messages.timeout, meanings.timedOut)).toBe(true)
    for (const message of [messages.reset, messages.garbage])
      expect(expresses(message, meanings.unexpected)).toBe(true)
    expect(expresses(messages.reset, meanings.typeOfReset)).toBe(true)
    expect(expresses(messages.garbage, meanings.typeOfGarbage)).toBe(true)
    expect(expresses(messages.nothing, meanings.noItems)).toBe(true)
  })

  it('is not recognized in other messages', () => {
    const [messages] = wordings
    const all = Object.entries(messages!)
    const kindsWith = (meaning: meanings.ErrorMeaning) =>
      all.filter(([, message]) => expresses(message, meaning)).map(([kind]) => kind)
    expect(kindsWith(meanings.nothingFound)).toEqual(['404', 'nothing'])
    expect(kindsWith(meanings.noPermission)).toEqual(['403'])
    expect(kindsWith(meanings.invalidAuthentication)).toEqual(['401'])
    expect(kindsWith(meanings.rateLimit)).toEqual(['429'])
    expect(kindsWith(meanings.timedOut)).toEqual(['timeout'])
    for (const message of [
      'Error: Unexpected error.',
      'Error: An error occurred',
      'Error: it failed',
    ]) {
      expect([
        expresses(message, meanings.typeOfReset),
        expresses(message, meanings.typeOfGarbage),
      ]).toEqual([false, false])
    }
    expect(expresses('Error: status 5000', status(500))).toBe(false)
    expect([
      expresses('Error: no book b.1', meanings.orWords(meanings.lookAtIdentifier, ['b.1'])),
      expresses('Error: no book b-1', meanings.orWords(meanings.lookAtIdentifier, ['b.1'])),
    ]).toEqual([true, false])
    expect(expresses("# Books matching 'zqx'", meanings.noItems)).toBe(false)
  })
})

/**
 * The meanings that a check can expect of a response, with the statuses that the document gives
 * them.
 */
export const meanings = {
  success: [200],
  invalid: [400],
  unauthenticated: [401],
  forbidden: [403],
  /** A token of the other host: invalid here, or without permission here. */
  foreign: [401, 403],
  /** A token of another account: invalid or without permission here, or the account is hidden. */
  'other account': [401, 403, 404],
  /** An Authorization header without a bearer token: malformed, or treated as missing. */
  'without a bearer token': [400, 401],
  absent: [404],
  /** A page after the last one. */
  'past the end': [400, 404],
  'too large': [413],
  /** A file behind a URL: it is too large, or the service stopped fetching it. */
  'too large to fetch': [413, 400, 502],
  /** Nothing could be fetched: the URL is invalid, nothing is there, or fetching failed. */
  unfetchable: [400, 404, 502],
  /**
   * A one-time URL that was used or has expired: an invalid request, an invalid credential, or not
   * found.
   */
  spent: [400, 401, 403, 404],
} as const satisfies Record<string, readonly number[]>

export type Meaning = keyof typeof meanings

const reasons: { readonly [M in Meaning]: string } = {
  success: 'the request is valid',
  invalid: 'the request is invalid',
  unauthenticated: 'the token is missing or invalid',
  forbidden: 'the token does not have the permission',
  foreign: 'the token belongs to the other host',
  'other account': 'the token belongs to another account',
  'without a bearer token': 'the Authorization header contains no bearer token',
  absent: 'the resource does not exist',
  'past the end': 'the page does not exist',
  'too large': 'the file is too large',
  'too large to fetch': 'the file behind the URL is too large',
  unfetchable: 'no image can be fetched from the URL',
  spent: 'the URL was used or has expired',
}

/**
 * Describes a response with this meaning, for reports: the statuses of the document, and the reason
 * for them.
 */
export function describeMeaning(meaning: Meaning, reason = reasons[meaning]): string {
  const statuses: readonly number[] = meanings[meaning]
  return `status ${statuses.join(', ').replace(/, (\d+)$/, ' or $1')}, because ${reason}`
}

/** Every status of the document's table. */
export const documentedStatuses: readonly number[] = [200, 400, 401, 403, 404, 413, 429, 500, 502]

/**
 * For a request that may also succeed: if the target refuses it, the status must have that meaning.
 */
export const ifRefused = (meaning: Meaning): readonly string[] => [meaning, 'any success']

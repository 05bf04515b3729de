/** The meanings that a check can expect of a response, with their statuses in the document. */
export const meanings = {
  success: [200],
  invalid: [400],
  unauthenticated: [401],
  forbidden: [403],
  /**
   * A token of the other host. The server may treat it as invalid, or as lacking the permission.
   */
  foreign: [401, 403],
  /**
   * A token of another account. The server may treat it as invalid, or as lacking the permission,
   * or hide that the account exists.
   */
  'other account': [401, 403, 404],
  /**
   * An Authorization header without a bearer token. The server may treat it as malformed or
   * missing.
   */
  'without a bearer token': [400, 401],
  absent: [404],
  /** A page after the last page. */
  'past the end': [400, 404],
  'too large': [413],
  /** An upload in chunks, without Content-Length (RFC 9110 §15.5.12). */
  'without a length': [400, 411],
  /** An upload by URL of a file that is too large, so that the service may stop fetching it. */
  'too large to fetch': [413, 400, 502],
  /** The server could not fetch an image: the URL is invalid or not found, or fetching failed. */
  unfetchable: [400, 404, 502],
  /**
   * A one-time URL that was used or has expired. The server may treat the request as invalid, the
   * URL as an invalid credential, or the ticket as not found.
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
  'without a length': 'the request has no Content-Length',
  'too large to fetch': 'the file at the URL is too large',
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
 * The meanings of a request that may also succeed. If the target refuses the request, the status
 * must have this meaning.
 */
export const ifRefused = (meaning: Meaning): readonly string[] => [meaning, 'any success']

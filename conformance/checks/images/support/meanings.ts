/** What an answer is expected to say, and the statuses of the document's table that say so. */
export const meanings = {
  success: [200],
  invalid: [400],
  unauthenticated: [401],
  forbidden: [403],
  /** A token that is right at another host: not valid here, or without permission here. */
  foreign: [401, 403],
  /** An authorization header that holds no credentials of the right kind: malformed, or as good as none. */
  'without a bearer token': [400, 401],
  absent: [404],
  /** A page behind the last one. */
  'past the end': [400, 404],
  'too large': [413],
  /** Nothing could be fetched: the request named a wrong place, or what it names is not there, or the way to it failed. */
  unfetchable: [400, 404, 502],
  /** A one-time URL that is used up or expired: an invalid request, a credential that no longer holds, or nothing there any more. */
  spent: [400, 401, 403, 404],
} as const satisfies Record<string, readonly number[]>

export type Meaning = keyof typeof meanings

/** Every status of the document's table. */
export const documentedStatuses: readonly number[] = [200, 400, 401, 403, 404, 413, 429, 500, 502]

/** For a request that may succeed as well: only if the target refuses it, its status must have that meaning. */
export const ifRefused = (meaning: Meaning): readonly string[] => [meaning, 'any success']

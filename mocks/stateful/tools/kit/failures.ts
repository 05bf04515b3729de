import type { ToolsChoices } from '../choices.ts'

/** How a tool call can fail. */
export type ToolFailure =
  | { kind: 'status'; status: number }
  | { kind: 'timeout' }
  /** `type` is the error's name or code, such as SyntaxError or ECONNRESET. */
  | { kind: 'unexpected'; type: string }

/** Thrown if the upstream of a tool failed. */
export class UpstreamFailure extends Error {
  readonly failure: ToolFailure
  constructor(failure: ToolFailure) {
    super(failure.kind)
    this.failure = failure
  }
}

/** Classifies a thrown value. Messages of unexpected errors are not shown to users. */
export function classifyFailure(thrown: unknown): ToolFailure {
  if (thrown instanceof UpstreamFailure) return thrown.failure
  const { code } = (thrown ?? {}) as { code?: unknown }
  return {
    kind: 'unexpected',
    type:
      typeof code === 'string'
        ? code
        : thrown instanceof Error
          ? thrown.constructor.name
          : typeof thrown,
  }
}

type Wording = Readonly<
  Record<'404' | '403' | '401' | '429' | 'status' | 'timeout' | 'unexpected', string>
>

const wordings: Readonly<Record<ToolsChoices['wording'], Wording>> = {
  plain: {
    404: 'Resource not found. Check the identifier.',
    403: 'Permission denied. You may not use this resource.',
    401: 'Invalid API authentication. Check the credentials.',
    429: 'Rate limit exceeded. Wait before retrying.',
    status: 'The API request failed with status {}.',
    timeout: 'The request timed out. Try again.',
    unexpected: 'Unexpected error of type {}.',
  },
  terse: {
    404: 'not found, check the id',
    403: 'permission denied',
    401: 'authentication failed: invalid API key',
    429: 'rate limit hit, wait and retry',
    status: 'request failed: HTTP {}',
    timeout: 'timed out, try again',
    unexpected: 'unexpected {}',
  },
  chatty: {
    404: 'Sorry, the shelf has looked everywhere, but this was not found. Please check that the identifier is the right one.',
    403: 'Sorry, permission to see this was denied. An administrator of the shelf may be able to grant it.',
    401: 'Sorry, the API did not accept our authentication: the token is invalid. Please have it renewed.',
    429: 'Sorry, too many requests: the rate limit of the API is exceeded. Please wait for a minute before you try again.',
    status: 'Sorry, the request to the API failed, since it answered with the status code {}.',
    timeout:
      'Sorry, the API took too long and the request timed out. Please try again a little later.',
    unexpected:
      'Sorry, an unexpected error occurred, of the type {}. Please contact an administrator of the shelf.',
  },
}

export function failureText(failure: ToolFailure, { wording }: ToolsChoices): string {
  const texts = wordings[wording]
  if (failure.kind === 'timeout') return `Error: ${texts.timeout}`
  if (failure.kind === 'unexpected') return `Error: ${texts.unexpected.replace('{}', failure.type)}`
  const { status } = failure
  return `Error: ${status === 404 || status === 403 || status === 401 || status === 429 ? texts[status] : texts.status.replace('{}', String(status))}`
}

export function emptyResultText(
  query: string,
  { wording, emptyResultIsError }: ToolsChoices,
): string {
  const text = {
    plain: `No books found matching '${query}'.`,
    terse: `no books match '${query}'`,
    chatty: `Sorry, the shelf has no books that match '${query}'. Try another word, or fewer tags.`,
  }[wording]
  return emptyResultIsError ? `Error: ${text}` : text
}

import { UserError } from 'fastmcp'

const timeoutMs = 30_000

/** The API behind the tools. The suite replaces it. */
export const lending = { url: '' }

/** Returns the loan of a book. Throws an error for the user if the API fails. */
export async function fetchLoan(id: string): Promise<unknown> {
  let response: Response
  let body: unknown
  try {
    response = await fetch(`${lending.url}/loans/${encodeURIComponent(id)}`, {
      signal: AbortSignal.timeout(timeoutMs),
    })
    body = response.ok ? await response.json() : undefined
  } catch (error) {
    const { name } = error as Error
    throw new UserError(
      name === 'TimeoutError'
        ? 'Error: the request timed out. Try again.'
        : `Error: unexpected error of the type ${name}.`,
    )
  }
  if (!response.ok) throw new UserError(`Error: ${describeStatus(response.status)}`)
  return body
}

function describeStatus(status: number): string {
  switch (status) {
    case 401:
      return 'the authentication at the API is invalid. Check the API key.'
    case 403:
      return 'permission denied. You do not have access to this loan.'
    case 404:
      return 'the loan was not found. Check the identifier of the book.'
    case 429:
      return 'the rate limit is exceeded. Wait before you retry.'
    default:
      return `the request to the API failed with status ${status}.`
  }
}

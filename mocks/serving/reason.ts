import type { ServerResponse } from 'node:http'

const maxCapturedBytes = 4096
/** A body that is not JSON and longer than this is not a message. */
const maxPlainLength = 300

/**
 * Captures what a response says about a failure: the beginning of its body, or an OAuth error in
 * the URL of a redirect. The returned function returns the reason; undefined if there is none.
 */
export function captureReason(response: ServerResponse): () => string | undefined {
  const chunks: Buffer[] = []
  let size = 0
  const capture = (chunk: unknown) => {
    if (response.statusCode < 400 || size >= maxCapturedBytes) return
    if (typeof chunk !== 'string' && !(chunk instanceof Uint8Array)) return
    const bytes = Buffer.from(chunk as string)
    size += bytes.length
    chunks.push(bytes)
  }
  let location: unknown
  const { write, end, writeHead } = response
  response.writeHead = function (...args: unknown[]) {
    const headers = args.findLast((arg) => typeof arg === 'object' && arg !== null) ?? {}
    location = Object.entries(headers).find(([name]) => name.toLowerCase() === 'location')?.[1]
    return Reflect.apply(writeHead, response, args) as typeof response
  } as typeof writeHead
  response.write = function (...args: unknown[]) {
    capture(args[0])
    return Reflect.apply(write, response, args)
  } as typeof write
  response.end = function (...args: unknown[]) {
    capture(args[0])
    return Reflect.apply(end, response, args)
  } as typeof end
  return () => {
    const { statusCode: status } = response
    if (status >= 300 && status < 400)
      return errorInUrl(String(location ?? response.getHeader('location') ?? ''))
    return reasonIn(Buffer.concat(chunks).toString())
  }
}

/** Finds an OAuth error in the query or fragment of a URL. */
function errorInUrl(url: string): string | undefined {
  const parameters = new URLSearchParams(url.replace(/^[^?#]*[?#]/, '').replace('#', '&'))
  const [error, description] = [parameters.get('error'), parameters.get('error_description')]
  return error !== null && description !== null ? `${error}: ${description}` : (error ?? undefined)
}

/** Finds the message in the body of a failure, in any of the forms that the mocks use. */
export function reasonIn(body: string): string | undefined {
  if (body === '') return undefined
  let value: unknown
  try {
    value = JSON.parse(body)
  } catch {
    return body.startsWith('<') || body.length > maxPlainLength ? undefined : body.trim()
  }
  const { errors, message, error, error_description: description } = (value ?? {}) as Failure
  return [
    errors?.[0]?.message,
    message,
    description,
    typeof error === 'string' ? error : (error?.detail ?? error?.message),
  ].find((text) => typeof text === 'string')
}

interface Failure {
  errors?: readonly { message?: string }[]
  message?: string
  error?: string | { message?: string; detail?: string }
  error_description?: string
}

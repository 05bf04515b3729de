import type { IncomingMessage } from 'node:http'
import { isObject, jsonOf, readBody } from '../http/body.ts'
import type { OAuthChoices } from './choices.ts'
import { OAuthFailure } from './failure.ts'

/** The parameters of a request. */
export interface Parameters {
  /** The first value; undefined where it is absent or empty, which is the same. */
  get(name: string): string | undefined
  all(name: string): readonly string[]
  names(): readonly string[]
}

function parametersOf(given: URLSearchParams): Parameters {
  return {
    get: (name) => given.getAll(name).find((value) => value !== ''),
    all: (name) => given.getAll(name).filter((value) => value !== ''),
    names: () => [...new Set(given.keys())],
  }
}

/** What was read of requests, for whoever wants to see it again. */
const seen = new WeakMap<IncomingMessage, Parameters>()
export const seenOf = (request: IncomingMessage): Parameters | undefined => seen.get(request)

function kept(request: IncomingMessage, given: URLSearchParams): Parameters {
  const parameters = parametersOf(given)
  seen.set(request, parameters)
  return parameters
}

export function queryOf(request: IncomingMessage): Parameters {
  const { url = '/' } = request
  const mark = url.indexOf('?')
  return kept(request, new URLSearchParams(mark < 0 ? '' : url.slice(mark + 1)))
}

/** More than any form here has, in bytes. */
const mostBytes = 64 * 1024

const typeOf = ({ headers }: IncomingMessage): string =>
  (headers['content-type'] ?? '').split(';', 1)[0]!.trim().toLowerCase()

/** The parameters of a form. */
export async function formOf(
  request: IncomingMessage,
  { jsonForms }: Pick<OAuthChoices, 'jsonForms'>,
): Promise<Parameters> {
  const bytes = await readBody(request, mostBytes)
  if (jsonForms === 'taken' && typeOf(request) === 'application/json') {
    const value = jsonOf(bytes)?.value
    if (isObject(value))
      return kept(
        request,
        new URLSearchParams(
          Object.entries(value).map(([name, one]): [string, string] => [name, String(one)]),
        ),
      )
  }
  if (typeOf(request) !== 'application/x-www-form-urlencoded')
    throw new OAuthFailure(
      'body-not-form',
      'invalid_request',
      'The body has to be application/x-www-form-urlencoded',
    )
  return kept(request, new URLSearchParams(bytes.toString('utf8')))
}

/** The JSON object of a body. */
export async function objectOf(request: IncomingMessage): Promise<Record<string, unknown>> {
  const value = jsonOf(await readBody(request, mostBytes))?.value
  if (!isObject(value))
    throw new OAuthFailure(
      'body-not-object',
      'invalid_client_metadata',
      'The body has to be a JSON object',
    )
  return value
}

/** A cookie that came with a request. */
export function cookieOf({ headers }: IncomingMessage, name: string): string | undefined {
  const found = (headers.cookie ?? '').split(/; */).find((pair) => pair.startsWith(`${name}=`))
  return found?.slice(name.length + 1)
}

import type { IncomingMessage } from 'node:http'
import { isObject, jsonOf, readBody } from '../http/body.ts'
import type { OAuthChoices } from './choices.ts'
import { OAuthFailure } from './failure.ts'

/** The parameters of a request. */
export interface Parameters {
  /** The first value that is not empty; undefined if there is none. */
  get(name: string): string | undefined
  all(name: string): readonly string[]
  names(): readonly string[]
}

function parametersOf(params: URLSearchParams): Parameters {
  return {
    get: (name) => params.getAll(name).find((value) => value !== ''),
    all: (name) => params.getAll(name).filter((value) => value !== ''),
    names: () => [...new Set(params.keys())],
  }
}

/** The parameters that were read from each request, for `changeReply`. */
const readParameters = new WeakMap<IncomingMessage, Parameters>()
export const readParametersOf = (request: IncomingMessage): Parameters | undefined =>
  readParameters.get(request)

function remember(request: IncomingMessage, params: URLSearchParams): Parameters {
  const parameters = parametersOf(params)
  readParameters.set(request, parameters)
  return parameters
}

export function queryOf(request: IncomingMessage): Parameters {
  const { url = '/' } = request
  const queryStart = url.indexOf('?')
  return remember(request, new URLSearchParams(queryStart < 0 ? '' : url.slice(queryStart + 1)))
}

/** The maximum size of a form in bytes. */
const maxBytes = 64 * 1024

const typeOf = ({ headers }: IncomingMessage): string =>
  (headers['content-type'] ?? '').split(';', 1)[0]!.trim().toLowerCase()

/** Reads the parameters of a form. */
export async function formOf(
  request: IncomingMessage,
  { jsonForms }: Pick<OAuthChoices, 'jsonForms'>,
): Promise<Parameters> {
  const bytes = await readBody(request, maxBytes)
  if (jsonForms === 'accepted' && typeOf(request) === 'application/json') {
    const value = jsonOf(bytes)?.value
    if (isObject(value))
      return remember(
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
      'The body must be application/x-www-form-urlencoded',
    )
  return remember(request, new URLSearchParams(bytes.toString('utf8')))
}

/** Reads a body that is a JSON object. */
export async function objectOf(request: IncomingMessage): Promise<Record<string, unknown>> {
  const value = jsonOf(await readBody(request, maxBytes))?.value
  if (!isObject(value))
    throw new OAuthFailure(
      'body-not-object',
      'invalid_client_metadata',
      'The body must be a JSON object',
    )
  return value
}

/** Returns a cookie of a request. */
export function cookieOf({ headers }: IncomingMessage, name: string): string | undefined {
  const found = (headers.cookie ?? '').split(/; */).find((pair) => pair.startsWith(`${name}=`))
  return found?.slice(name.length + 1)
}

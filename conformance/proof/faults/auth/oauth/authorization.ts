import { defaultRules } from '../../../../../mocks/stateful/oauth/rules.ts'
import type { AuthFault } from '../fault.ts'
import {
  door,
  fault,
  hosted,
  type MakeAuthDeviation,
  onReply,
  pathOf,
  replaceRules,
} from '../building.ts'
import {
  both,
  having,
  type Request,
  sendingBack,
  withCode,
  withDenial,
  withError,
} from './building.ts'
import { strangers } from './strangers.ts'

const wordOf = ({ parameters }: Request, name: string): string | undefined => parameters?.get(name)
const withoutChallenge = (request: Request): boolean =>
  wordOf(request, 'code_challenge') === undefined
const forToken = (request: Request): boolean => wordOf(request, 'response_type') === 'token'
const forNothing = (request: Request): boolean => wordOf(request, 'response_type') === undefined

/** Requests without PKCE that are taken, by their method, which is plain where none is named. */
const taking = (test: (method: string) => boolean): MakeAuthDeviation =>
  replaceRules({
    oauth: {
      pkce: (challenge, method, client, choices) =>
        challenge === undefined && test(method)
          ? undefined
          : defaultRules.pkce(challenge, method, client, choices),
    },
  })

/** Changes the query of requests for authorization before they are read; nothing given back leaves one as it is. */
const read = (change: (query: URLSearchParams) => URLSearchParams | undefined): MakeAuthDeviation =>
  door((request, _, hit) => {
    if (pathOf(request) !== '/authorize') return
    const [path, query = ''] = (request.url ?? '').split('?')
    const changed = change(new URLSearchParams(query))
    if (changed === undefined) return
    hit()
    request.url = `${path}?${changed}`
  })

const setting = (query: URLSearchParams, name: string, value: string): URLSearchParams => {
  const changed = new URLSearchParams(query)
  changed.set(name, value)
  return changed
}

/** An error that comes back as a token. */
const asToken = (url: URL): string =>
  `${url.origin}${url.pathname}#${new URLSearchParams({ access_token: 'as-good-as-any', token_type: 'Bearer', state: url.searchParams.get('state') ?? '' })}`

const inFragment = (url: URL): string => `${url.origin}${url.pathname}#${url.searchParams}`

const only = (url: URL, keeps: (name: string) => boolean): URL => {
  const changed = new URL(url)
  for (const name of url.searchParams.keys()) if (!keeps(name)) changed.searchParams.delete(name)
  return changed
}
const own = new Set(['code', 'state', 'iss', 'error', 'error_description'])

/** Sends somebody back with 307 who has filled in a form. */
const keeping = (test: (url: URL) => boolean): MakeAuthDeviation =>
  onReply((reply, _request, endpoint) => {
    const { Location = '' } = reply.headers ?? {}
    return endpoint === 'consent' && URL.canParse(Location) && test(new URL(Location))
      ? { ...reply, status: 307 }
      : undefined
  })

const answers: readonly AuthFault[] = [
  fault(
    'codes-never-come',
    'Sends users back without a code.',
    ['AUTH-AUTHORIZE-01'],
    withCode((url) => having(url, 'code', undefined)),
  ),
  fault(
    'codes-are-in-fragments',
    'Sends codes in the fragment.',
    ['AUTH-AUTHORIZE-01'],
    withCode(inFragment),
  ),
  fault(
    'users-are-left-alone',
    'Tells users that it is done, and sends them nowhere.',
    ['AUTH-AUTHORIZE-01'],
    onReply((reply) => {
      const { Location = '' } = reply.headers ?? {}
      return /[?&]code=/.test(Location)
        ? {
            status: 200,
            headers: { 'Content-Type': 'text/html' },
            body: Buffer.from('<!doctype html><title>Done</title><p>You can close this page.'),
          }
        : undefined
    }),
  ),

  fault(
    'states-are-lost',
    'Sends codes without the state.',
    ['AUTH-AUTHORIZE-02'],
    withCode((url) => having(url, 'state', undefined)),
  ),
  fault(
    'states-are-cut',
    'Keeps 100 characters of a state.',
    ['AUTH-AUTHORIZE-02'],
    replaceRules({ oauth: { state: ({ state }) => state?.slice(0, 100) } }),
  ),
  fault(
    'states-are-decoded-twice',
    'Decodes states once more than they were encoded.',
    ['AUTH-AUTHORIZE-02'],
    replaceRules({
      oauth: { state: ({ state }) => state?.replaceAll('+', ' ').replaceAll('%20', ' ') },
    }),
  ),
  fault(
    'states-lose-odd-characters',
    'Takes quotes and angles out of states.',
    ['AUTH-AUTHORIZE-02'],
    replaceRules({ oauth: { state: ({ state }) => state?.replace(/["'<>]/g, '') } }),
  ),

  fault(
    'queries-of-addresses-are-lost',
    'Sends users back without the query of the redirect URI.',
    ['AUTH-AUTHORIZE-03'],
    withCode((url) =>
      [...url.searchParams.keys()].every((name) => own.has(name))
        ? undefined
        : only(url, (name) => own.has(name)),
    ),
  ),
  fault(
    'queries-of-addresses-are-cut',
    'Keeps the first parameter of a redirect URI alone.',
    ['AUTH-AUTHORIZE-03'],
    withCode((url) => (url.searchParams.has('from') ? having(url, 'from', undefined) : undefined)),
  ),

  fault(
    'ports-of-apps-are-compared',
    'Compares ports on loopback too.',
    ['AUTH-AUTHORIZE-08'],
    replaceRules({ oauth: { isRegistered: (given, registered) => registered.includes(given) } }),
  ),
  fault(
    'other-ports-are-passed-over',
    'Sends users to the registered port, whatever port was asked for.',
    ['AUTH-AUTHORIZE-08'],
    withCode((url) => {
      if (url.port !== '8765') return undefined
      const changed = new URL(url)
      changed.port = '8123'
      return changed
    }),
  ),
  fault(
    'other-ports-get-no-code',
    'Sends an error to ports that are not registered.',
    ['AUTH-AUTHORIZE-08'],
    withCode((url) =>
      url.port === '8765'
        ? having(having(url, 'code', undefined), 'error', 'access_denied')
        : undefined,
    ),
  ),

  fault(
    'issuers-do-not-come-with-codes',
    'Promises iss, and sends codes without it.',
    ['AUTH-AUTHORIZE-13'],
    withCode((url) => having(url, 'iss', undefined)),
  ),
  fault(
    'issuers-come-with-a-slash',
    'Adds a slash to the issuer that it sends along.',
    ['AUTH-AUTHORIZE-13'],
    sendingBack((url) => having(url, 'iss', `${url.searchParams.get('iss')}/`)),
  ),
  fault(
    'issuers-do-not-come-with-errors',
    'Promises iss, and sends errors without it.',
    ['AUTH-AUTHORIZE-13'],
    withError(
      () => true,
      (url) => having(url, 'iss', undefined),
    ),
  ),
  fault(
    'issuers-do-not-come-with-denials',
    'Promises iss, and tells denials without it.',
    ['AUTH-AUTHORIZE-13'],
    withDenial((url) => having(url, 'iss', undefined)),
  ),

  fault(
    'approvals-are-sent-on',
    'Sends users back with 307 who have signed in and approved.',
    ['AUTH-AUTHORIZE-14'],
    hosted(
      { hosting: { pattern: 'oauth-provider' } },
      keeping((url) => url.searchParams.has('code')),
    ),
  ),
  fault(
    'denials-are-sent-on',
    'Sends users back with 307 who have denied.',
    ['AUTH-AUTHORIZE-14'],
    keeping((url) => url.searchParams.has('error')),
  ),
]

const errors: readonly AuthFault[] = [
  fault(
    'pkce-is-optional',
    'Asks public clients for no PKCE.',
    ['AUTH-AUTHORIZE-09'],
    taking(() => true),
  ),
  fault(
    'pkce-is-optional-without-a-method',
    'Asks for a challenge only where a method is named.',
    ['AUTH-AUTHORIZE-09'],
    taking((method) => method === 'plain'),
  ),
  fault(
    'pkce-may-be-empty',
    'Takes an empty challenge.',
    ['AUTH-AUTHORIZE-09'],
    both(
      read((query) =>
        query.get('code_challenge') === ''
          ? setting(query, 'code_challenge_method', 'none')
          : undefined,
      ),
      taking((method) => method === 'none'),
    ),
  ),
  fault(
    'a-method-is-enough',
    'Takes S256 for a challenge.',
    ['AUTH-AUTHORIZE-09'],
    taking((method) => method === 'S256'),
  ),

  fault(
    'tokens-are-given-at-once',
    'Sends a token to whoever asks for one.',
    ['AUTH-AUTHORIZE-10'],
    withError(forToken, asToken),
  ),
  fault(
    'tokens-are-asked-for-by-code',
    'Sends a code to whoever asks for a token.',
    ['AUTH-AUTHORIZE-10'],
    replaceRules({ oauth: { responseType: () => true } }),
  ),
  fault(
    'tokens-are-given-unasked',
    'Sends a token to whoever does not say for what it asks.',
    ['AUTH-AUTHORIZE-10'],
    withError(forNothing, asToken),
  ),
  fault(
    'codes-are-given-unasked',
    'Sends a code to whoever does not say for what it asks.',
    ['AUTH-AUTHORIZE-10'],
    read((query) =>
      query.has('response_type') ? undefined : setting(query, 'response_type', 'code'),
    ),
  ),

  fault(
    'errors-of-pkce-lose-the-state',
    'Tells that PKCE is missing without the state.',
    ['AUTH-AUTHORIZE-11'],
    withError(withoutChallenge, (url) => having(url, 'state', undefined)),
  ),
  fault(
    'errors-of-tokens-lose-the-state',
    'Refuses to give a token without the state.',
    ['AUTH-AUTHORIZE-11'],
    withError(forToken, (url) => having(url, 'state', undefined)),
  ),
  fault(
    'errors-of-types-change-the-state',
    'Sends another state where the type is missing.',
    ['AUTH-AUTHORIZE-11'],
    withError(forNothing, (url) => having(url, 'state', 'lost')),
  ),

  fault(
    'missing-pkce-has-a-name-of-its-own',
    'Calls a missing challenge pkce_required.',
    ['AUTH-AUTHORIZE-12'],
    withError(withoutChallenge, (url) => having(url, 'error', 'pkce_required')),
  ),
  fault(
    'implicit-grants-have-a-name-of-their-own',
    'Calls a request for a token implicit_disabled.',
    ['AUTH-AUTHORIZE-12'],
    withError(forToken, (url) => having(url, 'error', 'implicit_disabled')),
  ),
  fault(
    'missing-types-are-failures',
    'Calls a missing type a server_error.',
    ['AUTH-AUTHORIZE-12'],
    withError(forNothing, (url) => having(url, 'error', 'server_error')),
  ),
]

/** Faults of the authorization endpoint. */
export const authorization: readonly AuthFault[] = [...answers, ...strangers, ...errors]

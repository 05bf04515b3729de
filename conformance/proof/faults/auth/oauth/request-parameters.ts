import { defaultRules } from '../../../../../mocks/stateful/oauth/rules.ts'
import { fault, onReply, replaceRules, withChoices, type MakeAuthDeviation } from '../building.ts'
import type { AuthFault } from '../fault.ts'
import type { Request } from './building.ts'

const page = (text: string) => Buffer.from(`<!doctype html><title>Error</title><p>${text}`)

/** Refuses the authorization requests that `test` selects. */
const refuse = (test: (request: Request) => boolean): MakeAuthDeviation =>
  onReply((_reply, request, endpoint) =>
    endpoint === 'authorize' && test(request)
      ? { status: 400, body: page('Bad request'), headers: { 'Content-Type': 'text/html' } }
      : undefined,
  )

const known = [
  ...['response_type', 'client_id', 'redirect_uri', 'state', 'scope', 'resource', 'prompt'],
  ...['code_challenge', 'code_challenge_method'],
]
const unknownIn = ({ parameters }: Request): string[] =>
  parameters?.names().filter((name) => !known.includes(name)) ?? []
const isEmpty = ({ parameters }: Request, name: string): boolean =>
  parameters?.names().includes(name) === true && parameters.get(name) === undefined

/** Faults in how the authorization endpoint reads parameters. */
export const requestParameters: readonly AuthFault[] = [
  ...['state', 'response_type', 'redirect_uri', 'code_challenge'].map((repeated) =>
    fault(
      `authorization-may-repeat-${repeated.replaceAll('_', '-')}`,
      `Accepts authorization requests that repeat ${repeated}.`,
      ['AUTH-AUTHORIZE-18'],
      replaceRules({
        oauth: {
          mayRepeatParameter: (name, times) =>
            name === repeated || defaultRules.mayRepeatParameter(name, times),
        },
      }),
    ),
  ),
  fault(
    'unknown-parameter-refused',
    'Refuses authorization requests with an unknown parameter.',
    ['AUTH-AUTHORIZE-19'],
    refuse((request) => unknownIn(request).length > 0),
  ),
  fault(
    'unknown-parameter-is-an-error',
    'Redirects to the client with an error for an unknown parameter.',
    ['AUTH-AUTHORIZE-19'],
    onReply((_reply, request, endpoint) => {
      const uri = request.parameters?.get('redirect_uri')
      if (endpoint !== 'authorize' || uri === undefined || unknownIn(request).length === 0)
        return undefined
      const url = new URL(uri)
      url.searchParams.set('error', 'invalid_request')
      url.searchParams.set('state', request.parameters?.get('state') ?? '')
      return { status: 303, headers: { Location: url.href } }
    }),
  ),
  ...(['code', 'refresh_token'] as const).map((grant) =>
    fault(
      `unknown-parameter-with-${grant.replace('_', '-')}-refused`,
      `Refuses token requests with a ${grant} and an unknown parameter.`,
      ['AUTH-TOKEN-30'],
      onReply((_reply, { parameters }, endpoint) =>
        endpoint === 'token' &&
        parameters?.get(grant) !== undefined &&
        parameters.names().includes('touchstone')
          ? { status: 400, body: { error: 'invalid_request' } }
          : undefined,
      ),
    ),
  ),
  ...['scope', 'resource', 'prompt'].map((name) =>
    fault(
      `empty-${name}-refused`,
      `Refuses authorization requests with an empty ${name}.`,
      ['AUTH-AUTHORIZE-20'],
      refuse((request) => isEmpty(request, name)),
    ),
  ),
  fault(
    'unknown-challenge-method-of-a-hash',
    'Reads every challenge method that starts with S as S256.',
    ['AUTH-AUTHORIZE-21'],
    replaceRules({
      oauth: {
        pkceProblem: (challenge, method, ...rest) =>
          defaultRules.pkceProblem(challenge, method.startsWith('S') ? 'S256' : method, ...rest),
      },
    }),
  ),
  fault(
    'challenge-method-in-any-case',
    'Ignores case in challenge methods.',
    ['AUTH-AUTHORIZE-21'],
    replaceRules({
      oauth: {
        pkceProblem: (challenge, method, ...rest) =>
          defaultRules.pkceProblem(challenge, method.toUpperCase(), ...rest),
      },
    }),
  ),
  fault(
    'unknown-challenge-method-accepted',
    'Accepts challenge methods that it does not know, unless they look like a hash.',
    ['AUTH-AUTHORIZE-21'],
    replaceRules({
      oauth: {
        pkceProblem: (challenge, method, ...rest) =>
          defaultRules.pkceProblem(
            challenge,
            /^(S\d+|plain)$/i.test(method) ? method : 'S256',
            ...rest,
          ),
      },
    }),
  ),
  fault(
    'missing-challenge-method-means-s256',
    'Reads a challenge without a method as S256.',
    ['AUTH-TOKEN-04'],
    withChoices(
      { oauth: { plainPkce: 'accepted' } },
      replaceRules({
        oauth: {
          isVerifierCorrect: (code, verifier) =>
            defaultRules.isVerifierCorrect({ ...code, method: 'S256' }, verifier),
        },
      }),
    ),
  ),
]

import { fault, onReply } from '../building.ts'
import type { AuthFault } from '../fault.ts'
import { withErrorCode, onTokenRefusal, onTokenReply, omit } from './token-replies.ts'

const html = '<!doctype html><title>Error</title><p>Something was wrong with this request.'

/** Faults of the token endpoint: its responses and the form of its refusals. */
export const token: readonly AuthFault[] = [
  fault(
    'token-without-access-token',
    'Returns the access token under another name.',
    ['AUTH-TOKEN-01'],
    onTokenReply((reply, members) => ({
      ...reply,
      body: { ...omit(members, 'access_token'), token: members['access_token'] },
    })),
  ),
  fault(
    'token-of-another-type',
    'Returns the token type mac.',
    ['AUTH-TOKEN-01'],
    onTokenReply((reply, members) => ({ ...reply, body: { ...members, token_type: 'mac' } })),
  ),
  fault(
    'token-without-type',
    'Returns no token type.',
    ['AUTH-TOKEN-01'],
    onTokenReply((reply, members) => ({ ...reply, body: omit(members, 'token_type') })),
  ),
  fault(
    'token-response-is-201',
    'Returns tokens with status 201.',
    ['AUTH-TOKEN-01'],
    onTokenReply((reply) => ({ ...reply, status: 201 })),
  ),
  fault(
    'token-response-is-plain-text',
    'Returns tokens as text/plain.',
    ['AUTH-TOKEN-01'],
    onTokenReply((reply) => ({
      ...reply,
      headers: { ...reply.headers, 'Content-Type': 'text/plain' },
    })),
  ),
  fault(
    'token-response-is-a-form',
    'Returns tokens form-encoded instead of as JSON.',
    ['AUTH-TOKEN-01'],
    onTokenReply((reply, members) => ({
      ...reply,
      raw: `${new URLSearchParams(Object.entries(members).map(([name, value]): [string, string] => [name, String(value)]))}`,
      headers: { ...reply.headers, 'Content-Type': 'application/x-www-form-urlencoded' },
    })),
  ),
  fault(
    'tokens-may-be-stored',
    'Returns tokens without Cache-Control.',
    ['AUTH-TOKEN-02'],
    onTokenReply((reply) => ({ ...reply, headers: { ...reply.headers, 'Cache-Control': '' } })),
  ),
  fault(
    'tokens-may-be-stored-by-their-user',
    'Allows private caches to store tokens.',
    ['AUTH-TOKEN-02'],
    onTokenReply((reply) => ({
      ...reply,
      headers: { ...reply.headers, 'Cache-Control': 'private, no-cache' },
    })),
  ),
  fault(
    'refreshed-tokens-may-be-stored',
    'Allows caches to store refreshed tokens.',
    ['AUTH-TOKEN-02'],
    onTokenReply(
      (reply) => ({ ...reply, headers: { ...reply.headers, 'Cache-Control': 'max-age=60' } }),
      'refresh_token',
    ),
  ),
  fault(
    'lifetime-missing',
    'Returns tokens without expires_in.',
    ['AUTH-TOKEN-03'],
    onTokenReply((reply, members) => ({ ...reply, body: omit(members, 'expires_in') })),
  ),
  fault(
    'lifetime-missing-when-refreshed',
    'Returns refreshed tokens without expires_in.',
    ['AUTH-TOKEN-03'],
    onTokenReply(
      (reply, members) => ({ ...reply, body: omit(members, 'expires_in') }),
      'refresh_token',
    ),
  ),
  fault(
    'lifetime-as-a-string',
    'Returns expires_in as a string.',
    ['AUTH-TOKEN-21'],
    onTokenReply((reply, members) => ({
      ...reply,
      body: { ...members, expires_in: String(members['expires_in']) },
    })),
  ),
  fault(
    'lifetime-with-a-fraction',
    'Returns expires_in with a fraction.',
    ['AUTH-TOKEN-21'],
    onTokenReply((reply, members) => ({
      ...reply,
      body: { ...members, expires_in: Number(members['expires_in']) - 0.25 },
    })),
  ),
  fault(
    'lifetime-as-a-string-when-refreshed',
    'Returns expires_in of refreshed tokens as a string.',
    ['AUTH-TOKEN-21'],
    onTokenReply(
      (reply, members) => ({
        ...reply,
        body: { ...members, expires_in: String(members['expires_in']) },
      }),
      'refresh_token',
    ),
  ),
  fault(
    'secret-in-the-body-refused',
    'Refuses client secrets in the body.',
    ['AUTH-TOKEN-20'],
    onTokenReply((reply, _, form) =>
      form?.get('client_secret') === undefined
        ? undefined
        : { ...reply, status: 401, body: { error: 'invalid_client' } },
    ),
  ),
  fault(
    'secret-in-the-header-refused',
    'Refuses client secrets in the Authorization header, although its metadata lists this method.',
    ['AUTH-TOKEN-20'],
    onReply((reply, { incoming }, endpoint) =>
      endpoint === 'token' &&
      reply.status === 200 &&
      /^basic /i.test(incoming.headers.authorization ?? '')
        ? { ...reply, status: 401, body: { error: 'invalid_client' } }
        : undefined,
    ),
  ),
  fault(
    'refusals-as-pages',
    'Returns an HTML page when it refuses a token request.',
    ['AUTH-TOKEN-17'],
    onTokenRefusal('all', (reply) => ({
      ...reply,
      raw: html,
      headers: { ...reply.headers, 'Content-Type': 'text/html' },
    })),
  ),
  fault(
    'refusals-as-text',
    'Returns JSON labelled text/plain when it refuses a token request.',
    ['AUTH-TOKEN-17'],
    onTokenRefusal('all', (reply) => ({
      ...reply,
      headers: { ...reply.headers, 'Content-Type': 'text/plain; charset=utf-8' },
    })),
  ),
  fault(
    'refusals-without-error',
    'Returns the field `message` in place of `error` when it refuses a code.',
    ['AUTH-TOKEN-17'],
    onTokenRefusal(['code-unknown', 'code-used', 'code-expired'], (reply, members) => ({
      ...reply,
      body: { message: members['error_description'] },
    })),
  ),
  fault(
    'refusals-with-an-object',
    'Returns the field `error` as an object when it refuses a code.',
    ['AUTH-TOKEN-17'],
    onTokenRefusal(['code-unknown', 'code-used', 'code-expired'], (reply, members) => ({
      ...reply,
      body: { error: { code: members['error'] } },
    })),
  ),
  fault(
    'refusals-are-422',
    'Returns 422 for a repeated parameter.',
    ['AUTH-TOKEN-16', 'AUTH-TOKEN-17'],
    onTokenRefusal(['parameter-repeated'], (reply) => ({ ...reply, status: 422 })),
  ),
  fault(
    'refused-codes-are-401',
    'Returns 401 for an unknown code.',
    ['AUTH-TOKEN-09', 'AUTH-TOKEN-17'],
    onTokenRefusal(['code-unknown'], (reply) => ({ ...reply, status: 401 })),
  ),
  fault(
    'refused-clients-are-403',
    'Returns 403 for a client that fails to authenticate.',
    ['AUTH-TOKEN-06', 'AUTH-TOKEN-07', 'AUTH-TOKEN-17'],
    onTokenRefusal(['client-not-authenticated'], (reply) => ({ ...reply, status: 403 })),
  ),
  fault(
    'refusals-are-crashes',
    'Returns 500 for an unknown code.',
    ['AUTH-TOKEN-09', 'AUTH-TOKEN-17'],
    onTokenRefusal(['code-unknown'], withErrorCode('server_error', 500)),
  ),
]

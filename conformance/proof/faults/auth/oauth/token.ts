import { fault, onReply } from '../building.ts'
import type { AuthFault } from '../fault.ts'
import { named, refusalsAs, tokensAs, without } from './answers.ts'

const html = '<!doctype html><title>Error</title><p>Something was wrong with this request.'

/** Faults of the token endpoint: what it gives, and how it refuses. */
export const token: readonly AuthFault[] = [
  fault(
    'token-without-access-token',
    'Gives the access token under another name.',
    ['AUTH-TOKEN-01'],
    tokensAs((reply, members) => ({
      ...reply,
      body: { ...without(members, 'access_token'), token: members['access_token'] },
    })),
  ),
  fault(
    'token-of-another-type',
    'Calls its tokens of the type mac.',
    ['AUTH-TOKEN-01'],
    tokensAs((reply, members) => ({ ...reply, body: { ...members, token_type: 'mac' } })),
  ),
  fault(
    'token-without-type',
    'Does not tell the type of its tokens.',
    ['AUTH-TOKEN-01'],
    tokensAs((reply, members) => ({ ...reply, body: without(members, 'token_type') })),
  ),
  fault(
    'token-answered-as-created',
    'Gives tokens with status 201.',
    ['AUTH-TOKEN-01'],
    tokensAs((reply) => ({ ...reply, status: 201 })),
  ),
  fault(
    'token-answered-as-text',
    'Gives tokens as text/plain.',
    ['AUTH-TOKEN-01'],
    tokensAs((reply) => ({
      ...reply,
      headers: { ...reply.headers, 'Content-Type': 'text/plain' },
    })),
  ),
  fault(
    'token-answered-as-form',
    'Gives tokens as a form.',
    ['AUTH-TOKEN-01'],
    tokensAs((reply, members) => ({
      ...reply,
      raw: `${new URLSearchParams(Object.entries(members).map(([name, value]): [string, string] => [name, String(value)]))}`,
      headers: { ...reply.headers, 'Content-Type': 'application/x-www-form-urlencoded' },
    })),
  ),
  fault(
    'tokens-may-be-stored',
    'Says nothing of storing answers with tokens.',
    ['AUTH-TOKEN-02'],
    tokensAs((reply) => ({ ...reply, headers: { ...reply.headers, 'Cache-Control': '' } })),
  ),
  fault(
    'tokens-may-be-stored-by-their-user',
    'Lets answers with tokens be stored privately.',
    ['AUTH-TOKEN-02'],
    tokensAs((reply) => ({
      ...reply,
      headers: { ...reply.headers, 'Cache-Control': 'private, no-cache' },
    })),
  ),
  fault(
    'refreshed-tokens-may-be-stored',
    'Forbids to store answers to codes only.',
    ['AUTH-TOKEN-02'],
    tokensAs(
      (reply) => ({ ...reply, headers: { ...reply.headers, 'Cache-Control': 'max-age=60' } }),
      'refresh_token',
    ),
  ),
  fault(
    'lifetime-untold',
    'Does not tell for how long its tokens live.',
    ['AUTH-TOKEN-03'],
    tokensAs((reply, members) => ({ ...reply, body: without(members, 'expires_in') })),
  ),
  fault(
    'lifetime-untold-when-refreshed',
    'Does not tell for how long refreshed tokens live.',
    ['AUTH-TOKEN-03'],
    tokensAs(
      (reply, members) => ({ ...reply, body: without(members, 'expires_in') }),
      'refresh_token',
    ),
  ),
  fault(
    'lifetime-as-text',
    'Tells the lifetime of tokens as a text.',
    ['AUTH-TOKEN-21'],
    tokensAs((reply, members) => ({
      ...reply,
      body: { ...members, expires_in: String(members['expires_in']) },
    })),
  ),
  fault(
    'lifetime-with-a-fraction',
    'Tells the lifetime of tokens with a fraction.',
    ['AUTH-TOKEN-21'],
    tokensAs((reply, members) => ({
      ...reply,
      body: { ...members, expires_in: Number(members['expires_in']) - 0.25 },
    })),
  ),
  fault(
    'lifetime-as-text-when-refreshed',
    'Tells the lifetime of refreshed tokens as a text.',
    ['AUTH-TOKEN-21'],
    tokensAs(
      (reply, members) => ({
        ...reply,
        body: { ...members, expires_in: String(members['expires_in']) },
      }),
      'refresh_token',
    ),
  ),
  fault(
    'secret-in-the-body-refused',
    'Takes the secrets of clients in the Authorization header alone.',
    ['AUTH-TOKEN-20'],
    tokensAs((reply, _, form) =>
      form?.get('client_secret') === undefined
        ? undefined
        : { ...reply, status: 401, body: { error: 'invalid_client' } },
    ),
  ),
  fault(
    'secret-in-the-header-refused',
    'Says that it takes secrets in the Authorization header, and does not.',
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
    'Refuses at the token endpoint with pages.',
    ['AUTH-TOKEN-17'],
    refusalsAs('all', (reply) => ({
      ...reply,
      raw: html,
      headers: { ...reply.headers, 'Content-Type': 'text/html' },
    })),
  ),
  fault(
    'refusals-as-text',
    'Refuses in JSON that it calls text/plain.',
    ['AUTH-TOKEN-17'],
    refusalsAs('all', (reply) => ({
      ...reply,
      headers: { ...reply.headers, 'Content-Type': 'text/plain; charset=utf-8' },
    })),
  ),
  fault(
    'refusals-without-error',
    'Refuses at the token endpoint with a message alone.',
    ['AUTH-TOKEN-17'],
    refusalsAs(['code-unknown', 'code-used', 'code-expired'], (reply, members) => ({
      ...reply,
      body: { message: members['error_description'] },
    })),
  ),
  fault(
    'refusals-with-an-object',
    'Refuses at the token endpoint with an error that is an object.',
    ['AUTH-TOKEN-17'],
    refusalsAs(['code-unknown', 'code-used', 'code-expired'], (reply, members) => ({
      ...reply,
      body: { error: { code: members['error'] } },
    })),
  ),
  fault(
    'refusals-are-422',
    'Refuses doubled parameters with status 422.',
    ['AUTH-TOKEN-16', 'AUTH-TOKEN-17'],
    refusalsAs(['parameter-repeated'], (reply) => ({ ...reply, status: 422 })),
  ),
  fault(
    'refused-codes-are-401',
    'Refuses codes with status 401.',
    ['AUTH-TOKEN-09', 'AUTH-TOKEN-17'],
    refusalsAs(['code-unknown'], (reply) => ({ ...reply, status: 401 })),
  ),
  fault(
    'refused-clients-are-403',
    'Refuses clients with status 403.',
    ['AUTH-TOKEN-06', 'AUTH-TOKEN-07', 'AUTH-TOKEN-17'],
    refusalsAs(['client-not-authenticated'], (reply) => ({ ...reply, status: 403 })),
  ),
  fault(
    'refusals-are-crashes',
    'Answers 500 where a code is not known.',
    ['AUTH-TOKEN-09', 'AUTH-TOKEN-17'],
    refusalsAs(['code-unknown'], named('server_error', 500)),
  ),
]

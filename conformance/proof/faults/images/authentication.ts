import type { RequirementId } from '../../../../generated/requirements/index.ts'
import {
  defaultRules,
  type ImagesCall,
  type ImagesOperation,
} from '../../../../mocks/stateful/images.ts'
import type { ImagesFault } from './fault.ts'
import { fault, onRequest } from './building.ts'

const accountOperations = [
  'uploadImage',
  'createDirectUpload',
  'listImages',
  'getImage',
  'deleteImage',
  'createVariant',
  'listVariants',
  'getVariant',
  'updateVariant',
  'deleteVariant',
  'updateConfig',
] as const satisfies ImagesOperation[]
const batchOperations = [
  'batchUploadImage',
  'batchListImages',
  'batchDeleteImage',
] as const satisfies ImagesOperation[]
const operations = [...accountOperations, ...batchOperations]

const isBatch = (operation: ImagesOperation) => operation.startsWith('batch')
const hyphenate = (operation: string) =>
  operation.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
const correctToken = ({ host, server }: ImagesCall) =>
  host === 'batch' ? server.options.tokens.batch : server.options.tokens.api

/**
 * Accepts requests that should be refused. `accepts` decides by the Authorization header and the
 * token that the host requires.
 */
function acceptRefused(
  name: string,
  description: string,
  violates: readonly RequirementId[],
  at: readonly ImagesOperation[],
  accepts: (authorization: string | undefined, token: string, call: ImagesCall) => boolean,
): ImagesFault {
  return fault(
    name,
    description,
    violates,
    onRequest((call, next, hit) => {
      const { authorization } = call.headers
      const refused =
        defaultRules.checkAccess(call.server.roleOf(authorization), call.host) !== true
      if (refused && accepts(authorization, correctToken(call), call)) {
        hit()
        call.authorize = () => undefined
      }
      return next()
    }, at),
  )
}

const bearer = (authorization: string | undefined) =>
  /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1]
const roleOf = (authorization: string | undefined, { server }: ImagesCall) =>
  server.roleOf(authorization)
const invalid: RequirementId[] = ['IMG-AUTH-01', 'IMG-AUTH-05']

export const authentication: readonly ImagesFault[] = [
  ...operations.map((operation) =>
    acceptRefused(
      `${hyphenate(operation)}-ignores-the-token`,
      `Accepts requests to ${operation} with any token or none.`,
      isBatch(operation)
        ? ['IMG-AUTH-05', 'IMG-AUTH-02', 'IMG-AUTH-06']
        : ['IMG-AUTH-01', 'IMG-AUTH-02', 'IMG-AUTH-03', 'IMG-AUTH-09', 'IMG-AUTH-10'],
      [operation],
      () => true,
    ),
  ),
  ...accountOperations.map((operation) =>
    acceptRefused(
      `${hyphenate(operation)}-needs-no-permission`,
      `For ${operation}, accepts a token without the permission to edit images.`,
      ['IMG-AUTH-03'],
      [operation],
      (authorization, _token, call) => roleOf(authorization, call) === 'limited',
    ),
  ),
  ...accountOperations.map((operation) =>
    acceptRefused(
      `${hyphenate(operation)}-accepts-tokens-of-all-accounts`,
      `Accepts the token of another account for ${operation}.`,
      ['IMG-AUTH-10'],
      [operation],
      (authorization, _token, call) => roleOf(authorization, call) === 'other',
    ),
  ),
  ...operations.map((operation) =>
    acceptRefused(
      `${hyphenate(operation)}-accepts-the-other-hosts-token`,
      isBatch(operation)
        ? `Accepts the API token of the account host for ${operation}.`
        : `Accepts the token of the batch host for ${operation}.`,
      [isBatch(operation) ? 'IMG-AUTH-06' : 'IMG-AUTH-09'],
      [operation],
      (authorization, _token, call) =>
        roleOf(authorization, call) === (isBatch(operation) ? 'api' : 'batch'),
    ),
  ),

  acceptRefused(
    'unknown-tokens-are-let-in',
    'Accepts every unknown bearer token.',
    invalid,
    operations,
    (authorization, _token, call) =>
      bearer(authorization) !== undefined && roleOf(authorization, call) === undefined,
  ),
  acceptRefused(
    'first-character-of-the-token-is-not-compared',
    'Ignores the first character when it compares tokens.',
    invalid,
    operations,
    (authorization, token) => bearer(authorization)?.slice(1) === token.slice(1),
  ),
  acceptRefused(
    'last-character-of-the-token-is-not-compared',
    'Ignores the last character when it compares tokens.',
    invalid,
    operations,
    (authorization, token) => {
      const sent = bearer(authorization)
      return sent?.length === token.length && sent.slice(0, -1) === token.slice(0, -1)
    },
  ),
  acceptRefused(
    'last-character-of-the-token-may-be-missing',
    'Accepts a valid token without its last character.',
    invalid,
    operations,
    (authorization, token) => bearer(authorization) === token.slice(0, -1),
  ),
  acceptRefused(
    'case-of-the-token-is-not-compared',
    'Ignores the case of letters when it compares tokens.',
    invalid,
    operations,
    (authorization, token) => bearer(authorization)?.toLowerCase() === token.toLowerCase(),
  ),
  acceptRefused(
    'beginning-of-the-token-is-enough',
    'Accepts every prefix of a valid token.',
    invalid,
    operations,
    (authorization, token) => {
      const sent = bearer(authorization)
      return sent !== undefined && sent.length < token.length && token.startsWith(sent)
    },
  ),
  acceptRefused(
    'end-of-the-token-is-not-compared',
    'Accepts a valid token followed by other characters.',
    invalid,
    operations,
    (authorization, token) => {
      const sent = bearer(authorization)
      return sent !== undefined && sent.length > token.length && sent.startsWith(token)
    },
  ),
  ...(['listImages', 'batchListImages'] as const).map((operation) =>
    fault(
      `bearer-must-be-capitalized-in-${operation}`,
      `Refuses ${operation} if the scheme is not written Bearer.`,
      ['IMG-AUTH-13'],
      onRequest((call, next, hit) => {
        if (!/^bearer /i.test(call.headers['authorization'] ?? '')) return next()
        if (call.headers['authorization']!.startsWith('Bearer ')) return next()
        hit()
        call.headers = { ...call.headers, authorization: undefined }
        return next()
      }, operation),
    ),
  ),
  fault(
    'authorization-must-be-capitalized',
    'Ignores the header Authorization if its name is in lower case.',
    ['IMG-AUTH-13'],
    onRequest((call, next, hit) => {
      if (!call.request.rawHeaders.includes('authorization')) return next()
      hit()
      call.headers = { ...call.headers, authorization: undefined }
      return next()
    }, operations),
  ),
  acceptRefused(
    'token-needs-no-scheme',
    'Accepts a valid token with any scheme or none.',
    ['IMG-AUTH-11'],
    operations,
    (authorization, token) => authorization?.replace(/^\w+ /, '') === token,
  ),
  acceptRefused(
    'token-may-have-any-scheme',
    'Accepts a valid token with any scheme, but not without one.',
    ['IMG-AUTH-11'],
    operations,
    (authorization, token) => /^\w+ (.*)$/.exec(authorization ?? '')?.[1] === token,
  ),
  acceptRefused(
    'empty-bearer-is-let-in',
    'Accepts the word Bearer without a token.',
    ['IMG-AUTH-02'],
    operations,
    (authorization) => /^Bearer *$/i.test(authorization ?? ''),
  ),
  acceptRefused(
    'basic-credentials-are-let-in',
    'Accepts any user and password as basic credentials.',
    ['IMG-AUTH-02'],
    operations,
    (authorization) => /^Basic +\S/i.test(authorization ?? ''),
  ),
]

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
const words = (operation: string) =>
  operation.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
const rightToken = ({ host, server }: ImagesCall) =>
  host === 'batch' ? server.options.tokens.batch : server.options.tokens.api

/** Lets requests in that should be refused: which, is said of the header and the token that the host wants. */
function lettingIn(
  name: string,
  description: string,
  violates: readonly RequirementId[],
  at: readonly ImagesOperation[],
  lets: (authorization: string | undefined, token: string, call: ImagesCall) => boolean,
): ImagesFault {
  return fault(
    name,
    description,
    violates,
    onRequest((call, next, hit) => {
      const { authorization } = call.headers
      const refused = defaultRules.grants(call.server.roleOf(authorization), call.host) !== true
      if (refused && lets(authorization, rightToken(call), call)) {
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
    lettingIn(
      `${words(operation)}-ignores-the-token`,
      `${operation} works for everybody, with a token or without one.`,
      isBatch(operation)
        ? ['IMG-AUTH-05', 'IMG-AUTH-02', 'IMG-AUTH-06']
        : ['IMG-AUTH-01', 'IMG-AUTH-02', 'IMG-AUTH-03', 'IMG-AUTH-09'],
      [operation],
      () => true,
    ),
  ),
  ...accountOperations.map((operation) =>
    lettingIn(
      `${words(operation)}-needs-no-permission`,
      `${operation} takes a token that may not edit images.`,
      ['IMG-AUTH-03'],
      [operation],
      (authorization, _token, call) => roleOf(authorization, call) === 'limited',
    ),
  ),
  ...operations.map((operation) =>
    lettingIn(
      `${words(operation)}-takes-the-other-hosts-token`,
      isBatch(operation)
        ? `${operation} takes the API token of the account host.`
        : `${operation} takes the token of the batch host.`,
      [isBatch(operation) ? 'IMG-AUTH-06' : 'IMG-AUTH-09'],
      [operation],
      (authorization, _token, call) =>
        roleOf(authorization, call) === (isBatch(operation) ? 'api' : 'batch'),
    ),
  ),

  lettingIn(
    'unknown-tokens-are-let-in',
    'Takes every bearer token that nobody gave out.',
    invalid,
    operations,
    (authorization, _token, call) =>
      bearer(authorization) !== undefined && roleOf(authorization, call) === undefined,
  ),
  lettingIn(
    'first-character-of-the-token-is-not-compared',
    'Compares tokens from their second character on.',
    invalid,
    operations,
    (authorization, token) => bearer(authorization)?.slice(1) === token.slice(1),
  ),
  lettingIn(
    'beginning-of-the-token-is-enough',
    'Takes any beginning of a valid token.',
    invalid,
    operations,
    (authorization, token) => {
      const given = bearer(authorization)
      return given !== undefined && given.length < token.length && token.startsWith(given)
    },
  ),
  lettingIn(
    'end-of-the-token-is-not-compared',
    'Takes whatever begins with a valid token.',
    invalid,
    operations,
    (authorization, token) => {
      const given = bearer(authorization)
      return given !== undefined && given.length > token.length && given.startsWith(token)
    },
  ),
  lettingIn(
    'empty-bearer-is-let-in',
    'Takes the word Bearer without a token after it.',
    ['IMG-AUTH-02'],
    operations,
    (authorization) => /^Bearer *$/i.test(authorization ?? ''),
  ),
  lettingIn(
    'basic-credentials-are-let-in',
    'Takes any user with any password as basic credentials.',
    ['IMG-AUTH-02'],
    operations,
    (authorization) => /^Basic +\S/i.test(authorization ?? ''),
  ),
]

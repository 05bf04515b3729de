// The operations, and the violations of the token rules at each of these doors.
import { AUT, END, ERR, aut, violation, type Switch } from './places.ts'

export type Op =
  | 'upload'
  | 'ticket'
  | 'list'
  | 'read'
  | 'delete'
  | 'variant-create'
  | 'variant-list'
  | 'variant-read'
  | 'variant-patch'
  | 'variant-delete'
  | 'config'
  | 'batch-upload'
  | 'batch-list'
  | 'batch-delete'
  | 'complete'

export const apiOps: readonly Op[] = [
  'upload',
  'ticket',
  'list',
  'read',
  'delete',
  'variant-create',
  'variant-list',
  'variant-read',
  'variant-patch',
  'variant-delete',
  'config',
]
export const batchOps: readonly Op[] = ['batch-upload', 'batch-list', 'batch-delete']
const acting: readonly Op[] = [
  'upload',
  'ticket',
  'delete',
  'variant-create',
  'variant-patch',
  'variant-delete',
]

const door = (prefix: string, ops: readonly Op[], where: string, does: string): Switch[] =>
  ops.map((one) => violation(`${prefix}-${one}`, where, `${does} (${one}).`))

export const doorViolations: readonly Switch[] = [
  ...door('limited-allowed', apiOps, aut(2), 'A token without the permission may do this'),
  ...door('anonymous-allowed', apiOps, aut(1), 'This works without any Authorization header'),
  ...door('garbage-allowed', apiOps, aut(1), 'This works with a bearer token that is unknown'),
  ...door(
    'foreign-allowed',
    apiOps,
    AUT,
    'The token of another account may do this on the account in the path',
  ),
  ...door('anonymous-allowed', batchOps, aut(4), 'This works without any Authorization header'),
  ...door('garbage-allowed', batchOps, aut(4), 'This works with a bearer token that is unknown'),
  ...door('api-token-allowed', batchOps, aut(4), 'The batch host takes an API token here'),
  ...door('batch-token-allowed', apiOps, aut(1), 'The API takes the batch token here'),
  ...door(
    'limited-refused-yet',
    acting,
    ERR,
    'A token without the permission gets 403, yet the request is carried out',
  ),
  ...door(
    'foreign-refused-yet',
    acting,
    ERR,
    'The token of another account is refused, yet the request is carried out',
  ),
  ...door(
    'anonymous-refused-yet',
    [...acting, 'batch-upload', 'batch-delete'],
    ERR,
    'A request without a token gets 401, yet it is carried out',
  ),
  ...door(
    'internal-error',
    [...apiOps, ...batchOps],
    ERR,
    'Every third valid request of this kind is answered with 500',
  ),
  ...door(
    'success-flag-missing',
    [...apiOps, ...batchOps],
    END,
    'A successful answer lacks the success member',
  ),
]

// Decides who asks, and whether they may.
import type { IncomingMessage } from 'node:http'
import { apiOps, type Op } from './doors.ts'
import { findImage } from './checks.ts'
import { Fault, broken, missing, type Account, type World } from './world.ts'

type Who = 'first' | 'second' | 'limited' | 'batch'

export interface Access {
  account: Account
  refusal?: Fault
  // the switch that would let the refused request act all the same
  yet?: string
}

const unauthorized = (what: string): Fault => new Fault(401, 5401, what)
const forbidden = (what: string): Fault => new Fault(403, 5403, what)

export function tokenOf(w: World, request: IncomingMessage): string | undefined {
  const header = request.headers.authorization
  if (header === undefined) return undefined
  if (w.on('scheme-not-checked')) return header.trim().split(/\s+/).at(-1)
  return /^Bearer +(\S+) *$/i.exec(header)?.[1]
}

export function whoIs(w: World, token: string): Who | undefined {
  const tokens: [Who, string][] = [
    ['first', w.first.token],
    ['second', w.second.token],
    ['limited', w.limitedToken],
    ['batch', w.batchToken],
  ]
  const fits = (real: string): boolean =>
    real === token ||
    (w.on('token-by-prefix') && token.slice(0, 12) === real.slice(0, 12)) ||
    (w.on('token-any-case') && token.toLowerCase() === real.toLowerCase()) ||
    (w.on('token-with-suffix') && token.startsWith(real))
  return tokens.find(([, real]) => fits(real))?.[0]
}

function missingToken(w: World): Fault {
  if (w.on('missing-token-403')) return forbidden('A token is needed')
  return w.on('missing-token-404') ? missing('Page') : unauthorized('A token is needed')
}

function unknownToken(w: World): Fault {
  if (w.on('unknown-token-403')) return forbidden('The token is unknown')
  return w.on('unknown-token-500') ? broken() : unauthorized('The token is unknown')
}

const acting: readonly Op[] = [
  'upload',
  'ticket',
  'delete',
  'variant-create',
  'variant-patch',
  'variant-delete',
]

function refuse(account: Account, refusal: Fault, who: string, op: Op): Access {
  const known =
    acting.includes(op) || (who === 'anonymous' && (op === 'batch-upload' || op === 'batch-delete'))
  return known ? { account, refusal, yet: `${who}-refused-yet-${op}` } : { account, refusal }
}

export function authorizeBatch(w: World, op: Op, request: IncomingMessage): Access {
  const account = w.first
  const token = tokenOf(w, request)
  if (token === undefined) {
    if (w.on(`anonymous-allowed-${op}`)) return { account }
    const fault = w.on('batch-missing-token-400')
      ? new Fault(400, 5400, 'A token is needed')
      : missingToken(w)
    return refuse(account, fault, 'anonymous', op)
  }
  const who = whoIs(w, token)
  if (who === 'batch') return { account }
  if (who === undefined) {
    return w.on(`garbage-allowed-${op}`) ? { account } : { account, refusal: unknownToken(w) }
  }
  if (w.on(`api-token-allowed-${op}`)) return { account: who === 'second' ? w.second : w.first }
  const wrong = 'A batch token is needed'
  const soft = w.on('other-token-on-batch-403')
  return { account, refusal: soft ? forbidden(wrong) : unauthorized(wrong) }
}

function limitedFault(w: World, op: Op, account: Account, id: string): Fault {
  if (
    (op === 'read' || op === 'delete') &&
    w.on('lookup-before-permission') &&
    !findImage(account, id)
  )
    return missing('Image')
  if (w.on('limited-token-401')) return unauthorized('The token may not do this')
  if (w.on('limited-token-404')) return missing('Page')
  if (w.on('limited-token-200')) return new Fault(200, 5403, 'The token may not do this')
  return forbidden('The token may not do this')
}

export function authorize(
  w: World,
  op: Op,
  request: IncomingMessage,
  accountId: string,
  id: string,
): Access {
  if (!apiOps.includes(op)) return authorizeBatch(w, op, request)
  const target = w.accounts.find(
    (one) =>
      one.id === accountId || (w.on('account-id-any-case') && one.id === accountId.toLowerCase()),
  )
  const token = tokenOf(w, request)
  if (token === undefined) {
    if (target && w.on(`anonymous-allowed-${op}`)) return { account: target }
    return refuse(target ?? w.first, missingToken(w), 'anonymous', op)
  }
  const who = whoIs(w, token)
  if (who === undefined) {
    if (target && w.on(`garbage-allowed-${op}`)) return { account: target }
    return { account: w.first, refusal: unknownToken(w) }
  }
  if (who === 'batch') {
    if (target && w.on(`batch-token-allowed-${op}`)) return { account: target }
    const wrong = 'An API token is needed'
    return {
      account: w.first,
      refusal: w.on('batch-token-on-api-403') ? forbidden(wrong) : unauthorized(wrong),
    }
  }
  const own = who === 'second' ? w.second : w.first
  if (who !== 'limited' && w.on('account-path-ignored')) return { account: own }
  if (!target) {
    return {
      account: own,
      refusal: w.on('unknown-account-403') ? forbidden('No such account') : missing('Account'),
    }
  }
  if (target !== own) {
    if (w.on(`foreign-allowed-${op}`)) return { account: target }
    const fault = w.on('foreign-account-404')
      ? missing('Account')
      : forbidden('The token belongs to another account')
    return refuse(target, fault, 'foreign', op)
  }
  if (who === 'limited' && !w.on(`limited-allowed-${op}`)) {
    return refuse(target, limitedFault(w, op, target, id), 'limited', op)
  }
  return { account: target }
}

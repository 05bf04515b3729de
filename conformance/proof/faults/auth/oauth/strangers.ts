import { defaultRules } from '../../../../../mocks/stateful/oauth/rules.ts'
import type { AuthFault } from '../fault.ts'
import { door, fault, type MakeAuthDeviation, onReply, pathOf, replaceRules } from '../building.ts'
import type { Request } from './building.ts'

/** Sends users back for whom there is no place to go. */
const sentBack = (
  test: (request: Request) => boolean,
  told: Record<string, string>,
): MakeAuthDeviation =>
  onReply((reply, request, endpoint) => {
    const uri = request.parameters?.get('redirect_uri')
    if (endpoint !== 'authorize' || reply.status !== 400 || uri === undefined || !test(request))
      return undefined
    return {
      status: 302,
      headers: {
        Location: `${uri}?${new URLSearchParams({ ...told, state: request.parameters?.get('state') ?? '' })}`,
      },
    }
  })

const isUnknown = ({ parameters }: Request): boolean =>
  parameters?.get('client_id')?.includes('touchstone00') === true
const isNobody = ({ parameters }: Request): boolean => parameters?.get('client_id') === undefined

/** Changes the status of pages that tell of strangers. */
const toldWith = (status: number, test: (request: Request) => boolean): MakeAuthDeviation =>
  onReply((reply, request, endpoint) =>
    endpoint === 'authorize' && reply.status === 400 && test(request)
      ? { ...reply, status }
      : undefined,
  )

/** Compares addresses in another way as well; what cannot be read is the same as nothing. */
const alike = (test: (given: URL, one: URL) => boolean): MakeAuthDeviation =>
  replaceRules({
    oauth: {
      isRegistered: (given, registered) =>
        defaultRules.isRegistered(given, registered) ||
        registered.some((one) => URL.canParse(given) && test(new URL(given), new URL(one))),
    },
  })
const alikeInText = (test: (given: string, one: string) => boolean): MakeAuthDeviation =>
  replaceRules({
    oauth: {
      isRegistered: (given, registered) =>
        registered.some((one) => defaultRules.isRegistered(given, registered) || test(given, one)),
    },
  })

const bare = (uri: string): string => uri.replace(/\?.*/, '')

/** Faults with those for whom nobody is sent back. */
export const strangers: readonly AuthFault[] = [
  fault(
    'unknown-clients-are-told-there',
    'Sends users back with an error for a client that it does not know.',
    ['AUTH-AUTHORIZE-04'],
    sentBack(isUnknown, { error: 'unauthorized_client' }),
  ),
  fault(
    'unknown-clients-get-codes',
    'Sends a code to a client that it does not know.',
    ['AUTH-AUTHORIZE-04'],
    sentBack(isUnknown, { code: 'for-whomever' }),
  ),
  fault(
    'nameless-clients-are-told-there',
    'Sends users back with an error where no client is named.',
    ['AUTH-AUTHORIZE-04'],
    sentBack(isNobody, { error: 'invalid_request' }),
  ),
  fault(
    'nameless-clients-get-codes',
    'Sends a code where no client is named.',
    ['AUTH-AUTHORIZE-04'],
    sentBack(isNobody, { code: 'for-whomever' }),
  ),

  fault(
    'any-address-will-do',
    'Sends users wherever a client asks.',
    ['AUTH-AUTHORIZE-05'],
    replaceRules({ oauth: { isRegistered: () => true } }),
  ),
  fault(
    'foreign-addresses-are-told-there',
    'Sends errors to addresses that are not registered.',
    ['AUTH-AUTHORIZE-05'],
    sentBack(({ parameters }) => /attacker/.test(parameters?.get('redirect_uri') ?? ''), {
      error: 'invalid_request',
    }),
  ),
  fault(
    'foreign-addresses-are-passed-over',
    'Sends the code to the registered address where another is asked for.',
    ['AUTH-AUTHORIZE-05'],
    door((request, _, hit) => {
      const query = new URLSearchParams((request.url ?? '').split('?')[1] ?? '')
      if (pathOf(request) !== '/authorize' || !/attacker/.test(query.get('redirect_uri') ?? ''))
        return
      hit()
      query.delete('redirect_uri')
      request.url = `/authorize?${query}`
    }),
  ),
  fault(
    'addresses-may-go-on',
    'Compares the beginnings of addresses.',
    ['AUTH-AUTHORIZE-05'],
    alikeInText((given, one) => given.startsWith(one)),
  ),
  fault(
    'paths-may-go-on',
    'Takes whatever lies below a registered path.',
    ['AUTH-AUTHORIZE-05'],
    alikeInText((given, one) => bare(given).startsWith(`${bare(one)}/`)),
  ),
  fault(
    'queries-are-not-compared',
    'Compares addresses without their queries.',
    ['AUTH-AUTHORIZE-05'],
    alikeInText((given, one) => bare(given) === bare(one)),
  ),
  fault(
    'origins-are-compared',
    'Compares origins alone.',
    ['AUTH-AUTHORIZE-05'],
    alike((given, one) => given.origin === one.origin),
  ),
  fault(
    'apps-are-compared-by-host',
    'Compares hosts alone on loopback.',
    ['AUTH-AUTHORIZE-05'],
    alike(
      (given, one) =>
        one.hostname === '127.0.0.1' &&
        given.hostname === one.hostname &&
        given.protocol === 'http:',
    ),
  ),
  fault(
    'paths-are-compared',
    'Compares paths alone.',
    ['AUTH-AUTHORIZE-05'],
    alike((given, one) => given.pathname === one.pathname),
  ),
  fault(
    'schemes-are-not-compared',
    'Compares addresses without their schemes.',
    ['AUTH-AUTHORIZE-05'],
    alike(
      (given, one) =>
        given.host === one.host && given.pathname === one.pathname && given.search === one.search,
    ),
  ),
  fault(
    'hosts-may-lie-below',
    'Takes hosts below a registered one.',
    ['AUTH-AUTHORIZE-05'],
    alike((given, one) => given.host.endsWith(`.${one.host}`) && given.pathname === one.pathname),
  ),
  fault(
    'hosts-may-go-on',
    'Compares the beginnings of hosts.',
    ['AUTH-AUTHORIZE-05'],
    alike(
      (given, one) => given.host.startsWith(`${one.hostname}.`) && given.pathname === one.pathname,
    ),
  ),
  fault(
    'users-are-taken-for-hosts',
    'Takes what stands before an @ for the host.',
    ['AUTH-AUTHORIZE-05'],
    alikeInText((given, one) => given.includes('@') && given.startsWith(new URL(one).origin)),
  ),

  fault(
    'unknown-clients-are-no-problem',
    'Tells of a client that it does not know with status 200.',
    ['AUTH-AUTHORIZE-06'],
    toldWith(200, isUnknown),
  ),
  fault(
    'foreign-addresses-break-it',
    'Answers addresses that are not registered with 500.',
    ['AUTH-AUTHORIZE-06'],
    toldWith(500, (request) => !isUnknown(request) && !isNobody(request)),
  ),

  fault(
    'first-of-several-addresses-is-taken',
    'Sends users to the first registered address where none is named.',
    ['AUTH-AUTHORIZE-07'],
    replaceRules({ oauth: { mayOmitRedirect: () => true } }),
  ),
  fault(
    'first-of-several-addresses-gets-an-error',
    'Sends an error to the first registered address where none is named.',
    ['AUTH-AUTHORIZE-07'],
    (hit) => {
      const addresses = new Map<string, string>()
      return onReply((reply, { parameters }, endpoint) => {
        const { client_id: id, redirect_uris: [first, ...others] = [] } = (
          endpoint === 'register' ? reply.body : {}
        ) as { client_id?: string; redirect_uris?: string[] }
        if (id !== undefined && first !== undefined && others.length > 0) addresses.set(id, first)
        const known = addresses.get(parameters?.get('client_id') ?? '')
        return endpoint === 'authorize' && reply.status === 400 && known !== undefined
          ? { status: 302, headers: { Location: `${known}?error=invalid_request` } }
          : undefined
      })(hit)
    },
  ),
]

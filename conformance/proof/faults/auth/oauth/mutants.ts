import { messages, type Field, type MessageName } from '../../../../../generated/auth/contract.ts'
import { contentTypes, headerRules } from '../../../../../generated/auth/rules.ts'
import type { ReplyMiddleware } from '../../../../../mocks/stateful/oauth/realm.ts'
import type { MutantFault } from '../../fault.ts'
import { fieldMutants, type Mutant } from '../../mutants.ts'
import { onReply, type MakeAuthDeviation } from '../building.ts'
import type { AuthDeviation } from '../fault.ts'
import { headerMutants } from '../header-mutants.ts'

type Reply = Parameters<ReplyMiddleware>[1]
type Endpoint = Parameters<ReplyMiddleware>[0]
type Request = Parameters<ReplyMiddleware>[2]

/** Selects the replies of the server that are one kind of message. */
interface Site {
  readonly kind: string
  readonly endpoint: Endpoint
  readonly matches: (reply: Reply, request: Request) => boolean
}

const isSuccess = ({ status }: Reply): boolean => status < 300
const isAtOrigin = ({ url = '' }: Request['incoming']): boolean =>
  url.endsWith('/oauth-protected-resource')
const isRefusal = ({ status }: Reply): boolean => status >= 400

const sites = {
  'server metadata': {
    kind: 'server metadata success',
    endpoint: 'server metadata',
    matches: isSuccess,
  },
  'origin metadata': {
    kind: 'resource metadata success',
    endpoint: 'resource metadata',
    matches: (reply, { incoming }) => isSuccess(reply) && isAtOrigin(incoming),
  },
  'resource metadata': {
    kind: 'resource metadata success',
    endpoint: 'resource metadata',
    matches: (reply, { incoming }) => isSuccess(reply) && !isAtOrigin(incoming),
  },
  'registered client': { kind: 'register success', endpoint: 'register', matches: isSuccess },
  'refused registration': { kind: 'register failure', endpoint: 'register', matches: isRefusal },
  tokens: { kind: 'token success', endpoint: 'token', matches: isSuccess },
  'token error': { kind: 'token failure', endpoint: 'token', matches: isRefusal },
  'refused Basic credential': {
    kind: 'token failure',
    endpoint: 'token',
    matches: ({ status }, { incoming }) =>
      status === 401 && incoming.headers.authorization !== undefined,
  },
  'missing token': {
    kind: 'resource failure',
    endpoint: 'resource',
    matches: ({ status }, { incoming }) =>
      status === 401 && incoming.headers.authorization === undefined,
  },
} satisfies Record<string, Site>
type SiteName = keyof typeof sites

/**
 * Changes every reply that the site `name` selects. If `change` returns undefined, the reply is not
 * changed.
 */
const onSite = (name: SiteName, change: (reply: Reply) => Reply | undefined): MakeAuthDeviation =>
  onReply((reply, request, endpoint) => {
    const site: Site = sites[name]
    return endpoint === site.endpoint && site.matches(reply, request) ? change(reply) : undefined
  })

const withHeader = (name: SiteName, header: string) => (value: string | undefined) =>
  onSite(name, (reply) => ({ ...reply, headers: { ...reply.headers, [header]: value ?? '' } }))

/**
 * Makes the mutants of the fields of a body, except of the fields in `identifying`: a body without
 * these is not metadata.
 */
const bodyMutants = (
  name: SiteName,
  message: MessageName,
  identifying: readonly string[] = [],
): MutantFault<AuthDeviation>[] =>
  messages[message].fields
    .filter(({ path }) => !identifying.includes(path))
    .flatMap((field) =>
      fieldMutants<Reply & { body: unknown }>(name, `the ${name}`, field).map((mutant) => ({
        ...mutant,
        messageKind: sites[name].kind,
        make: onSite(name, (reply) => mutateWithArray(mutant, field, reply)),
      })),
    )

/**
 * Mutates a reply. If the mutant changes the items of an array, adds a missing array first, because
 * only an existing array can have wrong items.
 */
function mutateWithArray(
  { mutate }: Mutant<Reply & { body: unknown }>,
  { path }: Field,
  reply: Reply,
): Reply | undefined {
  const [, name = ''] = /^\/(\w+)\/\*$/.exec(path) ?? []
  const members = reply.body as Readonly<Record<string, unknown>>
  const body = name === '' ? reply.body : { ...members, [name]: members[name] ?? ['one'] }
  return mutate({ ...reply, body })
}

/** Makes the mutants of the content type that a requirement states for a message. */
const contentTypeMutants = (
  name: SiteName,
  requirement: keyof typeof contentTypes,
): MutantFault<AuthDeviation>[] =>
  headerMutants({
    requirement,
    header: 'Content-Type',
    pattern: `^${contentTypes[requirement]}$`,
    messageKind: sites[name].kind,
    messageName: name,
    make: withHeader(name, 'Content-Type'),
  })

const headersAt: readonly (readonly [keyof typeof headerRules, SiteName])[] = [
  ['AUTH-TOKEN-02', 'tokens'],
  ['AUTH-TOKEN-07', 'refused Basic credential'],
  ['AUTH-RESOURCE-02', 'missing token'],
]

/**
 * The mutants of patterns 3 and 4 (OAuth), for every header and every field of a body that the
 * schemas define.
 */
export const mutants: readonly MutantFault<AuthDeviation>[] = [
  ...bodyMutants('server metadata', 'serverMetadata success', ['']),
  ...bodyMutants('origin metadata', 'rootMetadata success', ['', '/resource']),
  ...bodyMutants('resource metadata', 'resourceMetadata success', ['']),
  ...bodyMutants('registered client', 'register success'),
  ...bodyMutants('refused registration', 'register failure'),
  ...bodyMutants('tokens', 'token success'),
  ...bodyMutants('token error', 'token failure'),
  ...contentTypeMutants('server metadata', 'AUTH-META-07'),
  ...contentTypeMutants('origin metadata', 'AUTH-META-07'),
  ...contentTypeMutants('resource metadata', 'AUTH-META-07'),
  ...contentTypeMutants('registered client', 'AUTH-REGISTER-12'),
  ...contentTypeMutants('refused registration', 'AUTH-REGISTER-12'),
  ...contentTypeMutants('tokens', 'AUTH-TOKEN-01'),
  ...contentTypeMutants('token error', 'AUTH-TOKEN-17'),
  ...headersAt.flatMap(([requirement, name]) => {
    const { header, pattern } = headerRules[requirement]
    return headerMutants({
      requirement,
      header,
      pattern,
      messageKind: sites[name].kind,
      messageName: name,
      make: withHeader(name, header),
    })
  }),
]

import type { Mock, Running, StartOptions } from './entry.ts'

export const identity = {
  title: 'Identity provider',
  hosts: ['identity'],
  firstPort: 4060,
  start,
} satisfies Mock

/** Starts the identity provider. It exists only as a stateful mock. */
async function start({
  ports,
  credentials = {},
  consent,
  serving,
}: StartOptions): Promise<Running> {
  const { startIdentity } = await import('../stateful/identity.ts')
  const server = await startIdentity({
    port: ports['identity'] ?? 0,
    ...credentials,
    ...(consent === undefined ? {} : { consent }),
    ...(serving === undefined ? {} : { serving }),
  })
  const {
    authorizeUrl,
    tokenUrl,
    userUrl,
    options: {
      clientId,
      clientSecret,
      users: [user],
      consent: consentMode,
    },
  } = server
  const origin = new URL(authorizeUrl).origin
  return {
    kind: 'stateful',
    summary: 'authenticates the users of a tool server',
    urls: { identity: origin },
    identifiers: { clientId },
    tokens: { clientSecret },
    tokenOf: { identity: 'clientSecret' },
    notes: [
      ['authorize', authorizeUrl],
      ['token', tokenUrl],
      ['user', userUrl],
      [
        'users',
        consentMode === 'auto'
          ? user === undefined
            ? 'every sign-in is refused'
            : `everyone is signed in as ${user.login}`
          : `${user?.login ?? ''}, password ${user?.password ?? ''}`,
      ],
    ],
    example(others) {
      const [server = 'http://127.0.0.1:4050'] = Object.values(others.get('tools')?.urls ?? {})
      const callback = new URL('/callback', server).href
      return {
        url: `${authorizeUrl}?${new URLSearchParams({ response_type: 'code', client_id: clientId, redirect_uri: callback, scope: 'read:user' })}`,
        headers: {},
        // Without a page, the response is a redirect.
        hasNoBody: consentMode === 'auto',
      }
    },
    close: () => server.close(),
  }
}

import { expect, test } from 'vitest'
import { startTools, targetOf, type Auth } from '../../mocks/stateful/tools.ts'
import type { AuthTarget } from '../checks/tools/authentication.ts'
import { judgeTarget, narrowToContract, proofSettings } from './trial.ts'

/** A client that the operator of a server has registered. */
const operatorsClient = {
  id: 'touchstone',
  method: 'none' as const,
  redirectUris: ['http://127.0.0.1:8123/touchstone/back'],
  grants: ['authorization_code', 'refresh_token'],
  name: 'Touchstone',
  issuedAt: 0,
}

/** Runs the checks of authentication, and counts the registration requests that they send. */
async function countRegistrations(options: Partial<Auth>, section: Partial<AuthTarget> = {}) {
  const auth = { pattern: 'oauth-provider', passwordCost: 2, ...options } as Auth
  const server = await startTools({ auth, controlRoutes: true })
  const clients = new Set<string>()
  let sent = 0
  try {
    const { auth: mockSection, ...tools } = targetOf(server).tools
    const verdicts = await judgeTarget(
      {
        tools: { ...tools, auth: { ...mockSection, ...section } as AuthTarget },
        suite: proofSettings,
      },
      {
        ...narrowToContract({ contract: 'auth' }),
        onMessage(_key, message) {
          const {
            operation,
            request: { url },
          } = message.record()
          if (operation === 'register') sent += 1
          const client = new URL(url).searchParams.get('client_id')
          if (operation === 'authorize' && client !== null) clients.add(client)
        },
      },
    )
    return { verdicts, sent, clients }
  } finally {
    await server.close()
  }
}

test('a run registers few clients', async () => {
  const { sent } = await countRegistrations({})
  // A check uses a client of the pool. It registers its own client only if it needs one with
  // certain metadata.
  expect(sent).toBeLessThanOrEqual(28)
})

test('checks use the client in the target file although clients may register themselves', async () => {
  const { verdicts, sent, clients } = await countRegistrations(
    { clients: [operatorsClient] },
    {
      registration: true,
      clientId: operatorsClient.id,
      redirectUri: operatorsClient.redirectUris[0]!,
    },
  )
  expect(clients).toContain(operatorsClient.id)
  expect(sent).toBeLessThanOrEqual(25)
  const registrations = verdicts.filter(({ requirement }) => /AUTH-REGISTER/.test(requirement))
  expect(registrations.filter(({ verdict }) => verdict === 'pass').length).toBeGreaterThan(10)
})

test('if the server limits registrations, the checks that it prevents name the missing key', async () => {
  const { verdicts } = await countRegistrations({ rules: { registrationsPerHour: 20 } })
  const limited = verdicts.filter(({ reason = '' }) => reason.includes('registers no more clients'))
  expect(limited.length).toBeGreaterThan(0)
  expect(limited.length).toBeLessThanOrEqual(6)
  for (const { verdict, needs } of limited)
    expect([verdict, needs]).toEqual(['not covered', ['tools.auth.clientId']])
})

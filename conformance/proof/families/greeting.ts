import { faults } from '../faults/greeting/index.ts'
import type { GreetingHosting } from '../faults/greeting/fault.ts'
import { startGreeting, targetOf, type GreetingChoices } from '../../../mocks/stateful/greeting.ts'
import { makeCertificate, type Certificate } from '../../../mocks/stateful/greeting/certificate.ts'
import { exclusions, factors, withoutLevels } from '../variations/greeting/index.ts'
import { family } from '../family.ts'
import { grpcNulls } from '../null-targets/grpc.ts'

/** One for all servers of a worker: to make it takes longer than a trial may. */
let certificate: Promise<Certificate> | undefined

const hosting: Omit<GreetingHosting, 'service'> = {
  named: true,
  token: true,
  tls: true,
  declared: true,
}

/** Servers of the greeting RPC. */
export const greeting = family({
  name: 'greeting',
  faults,
  mutants: [],
  factors,
  exclusions,
  withoutLevels,
  nulls: grpcNulls,
  async start({ choices: own, ...deviation }, choices: Partial<GreetingChoices & GreetingHosting>) {
    const { service, named, token, tls, declared, ...others } = { ...hosting, ...choices, ...own }
    const pair = tls === false ? undefined : await (certificate ??= makeCertificate())
    const server = await startGreeting({
      ...deviation,
      choices: others,
      ...(service === undefined ? {} : { service }),
      ...(token ? { token: 'a-token-of-the-proof' } : {}),
      ...(tls === true && pair !== undefined ? { tls: pair } : {}),
    })
    const { service: name, relationship, ...target } = targetOf(server).greeting
    return {
      target: {
        greeting: {
          ...target,
          ...(named ? { service: name } : {}),
          ...(declared && relationship !== undefined ? { relationship } : {}),
          ...(tls === 'claimed' && pair !== undefined ? { tls: { ca: pair.cert } } : {}),
        },
      },
      // All of it happens on this machine, and the proof's clock is fast: this is silence enough.
      suite: { timeout: 30_000 },
      close: () => server.close(),
    }
  },
  nullTarget: (origin) => ({
    greeting: {
      address: new URL(origin).host,
      service: 'examples.GreetingService',
      metadata: { authorization: 'Bearer a-token' },
      relationship: 'one-to-one',
    },
  }),
})

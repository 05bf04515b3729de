import { faults } from '../faults/greeting/index.ts'
import { mutants } from '../faults/greeting/mutants/index.ts'
import type { GreetingHosting } from '../faults/greeting/fault.ts'
import { startGreeting, targetOf, type GreetingChoices } from '../../../mocks/stateful/greeting.ts'
import { makeCertificate, type Certificate } from '../../../mocks/serving/certificate.ts'
import { newTrialClock } from '../clock.ts'
import { exclusions, factors } from '../variations/greeting/index.ts'
import { defineFamily } from '../family.ts'
import { grpcNullTargets } from '../null-targets/grpc.ts'

/**
 * All servers of a worker share one certificate, because generating one takes longer than a trial
 * should.
 */
let certificate: Promise<Certificate> | undefined

const defaultHosting: Omit<GreetingHosting, 'service'> = {
  named: true,
  token: true,
  tls: true,
  declared: true,
}

/** Servers of the greeting RPC. */
export const greeting = defineFamily({
  name: 'greeting',
  faults,
  mutants,
  factors,
  exclusions,
  nullTargets: grpcNullTargets,
  async start(
    { choices: ownChoices, ...deviation },
    choices: Partial<GreetingChoices & GreetingHosting>,
  ) {
    const { service, named, token, tls, declared, ...mockChoices } = {
      ...defaultHosting,
      ...choices,
      ...ownChoices,
    }
    const pair = tls === false ? undefined : await (certificate ??= makeCertificate())
    const server = await startGreeting({
      // The suite compares the times of responses with its own clock, which runs faster here.
      now: newTrialClock().now,
      ...deviation,
      choices: mockChoices,
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
      // 30 s of the proof's clock are 1.5 s of real time. This is enough, because everything runs
      // on this machine.
      suite: { timeout: 30_000 },
      close: () => server.close(),
    }
  },
  completeTarget: (origin) => ({
    greeting: {
      address: new URL(origin).host,
      service: 'examples.GreetingService',
      metadata: { authorization: 'Bearer a-token' },
      relationship: 'one-to-one',
    },
  }),
})

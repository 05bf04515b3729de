import { randomBytes } from 'node:crypto'
import { HttpClient, newRedactor, Receiver } from '../../wire/index.ts'
import { LastRequests, maxCleanMs } from '../shared/last-requests.ts'
import { subject } from '../shared/subject.ts'
import { preflight } from './preflight.ts'
import { kindOf } from './support/expectations.ts'
import { checks } from './topics/index.ts'
import { HooksCleanup } from './support/cleanup.ts'
import { commandLineOf, ProgramRun } from './support/program-run.ts'
import { HooksRequests } from './support/requests.ts'
import { HooksWorld, type HooksMessage } from './support/world.ts'
import type { HooksTarget } from './target.ts'

/** A service that has hooks, and sends deliveries. */
export const hooks = subject<HooksWorld, HooksMessage, HooksTarget>({
  checks,
  preflight,
  async cleanLater(target, environment, leftovers, { force }) {
    const client = new HttpClient(environment)
    const cleanup = new HooksCleanup(new HooksRequests(target), environment.journal)
    const last = new LastRequests(client, environment, maxCleanMs)
    const foreign = await cleanup.restore(leftovers, { last, force })
    const remaining = [...foreign, ...(await cleanup.deleteRemaining(last))]
    client.close()
    return remaining
  },
  open(target, environment) {
    const { suite } = environment
    const cleanup = new HooksCleanup(new HooksRequests(target), environment.journal)
    const client = new HttpClient({
      ...environment,
      targetUrls: [target.url],
      onRequest: cleanup.announce,
    })
    const format = { isForm: false }
    const redact = newRedactor(environment.secrets)
    const receivers = new Map<boolean, Promise<Receiver>>()
    const { listen, publicUrl, tlsListen, tlsUrl } = suite.receiver ?? {}
    const receiver = (secure: boolean) => {
      const started =
        receivers.get(secure) ??
        Receiver.start({
          ...environment,
          kindOf,
          tls: secure,
          listen: secure ? tlsListen : listen,
          publicUrl: secure ? tlsUrl : publicUrl,
        })
      receivers.set(secure, started)
      return started
    }
    return {
      world: (context) =>
        new HooksWorld(context, {
          target,
          client,
          receiver,
          isReceiverDeclared: suite.receiver !== undefined,
          prefix: `ts${randomBytes(4).toString('hex')}`,
          deliveryTimeoutMs: suite.patience,
          watchMs: suite.watch,
          format,
          countCreated: () => cleanup.createdCount,
          onCreation: cleanup.add,
          runProgram: async (program, signal) => {
            const { runProgram } = await import('../../wire/program.ts')
            const { clock, nextNumber } = environment
            const number = nextNumber()
            const startedAt = clock.now()
            const failure = await runProgram(program, { clock, signal })
            return new ProgramRun({
              number,
              commandLine: commandLineOf(program, redact),
              failure: failure === undefined ? undefined : redact.sentence(failure),
              milliseconds: Math.round(clock.now() - startedAt),
            })
          },
        }),
      // Also for throwaway targets: an event in the project reaches every hook that exists.
      cleanUp: (world) => cleanup.deleteHooks(world.createdHooks, client),
      async close(throwaway) {
        const remaining = throwaway
          ? []
          : await cleanup.deleteRemaining(new LastRequests(client, environment))
        await Promise.all([...receivers.values()].map(async (started) => (await started).close()))
        client.close()
        return remaining
      },
    }
  },
})

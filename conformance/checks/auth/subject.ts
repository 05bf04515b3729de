import type { Context } from '../../engine/index.ts'
import { HttpClient } from '../../wire/index.ts'
import { subject } from '../shared/subject.ts'
import { preflight } from '../tools/preflight.ts'
import { openHarness, type ToolsHarness } from '../tools/support/harness.ts'
import { proposeKeys } from '../tools/support/proposals.ts'
import { ListedByServer } from '../tools/support/listed-by-server.ts'
import { TransportResponses } from '../tools/support/transport-responses.ts'
import type { ToolsMessage } from '../tools/support/tools-message.ts'
import { ToolsWorld } from '../tools/support/world.ts'
import type { ToolsTarget } from '../tools/target.ts'
import { checks as toolsChecks } from '../tools/topics/index.ts'
import { inapplicableReason, type WithAuth } from './support/define.ts'
import { ClientPool } from './support/client-pool.ts'
import { KnownValues } from './support/known-values.ts'
import { unregisterClients } from './support/unregister.ts'
import { AuthWorld } from './support/world.ts'
import { checks } from './topics/index.ts'

/** A tool server. One run checks it against the contracts `tools` and `auth`. */
export const tools = subject<ToolsWorld & WithAuth, ToolsMessage, ToolsTarget>({
  checks: [...toolsChecks, ...checks],
  preflight,
  inapplicable: ({ auth }, forms) => inapplicableReason(auth?.pattern ?? 'none', forms),
  open(target, surroundings) {
    const {
      clock,
      timeout,
      nextNumber,
      signal,
      suite: { identity },
    } = surroundings
    // Copied, because secrets that the run receives are added.
    const secrets = { ...surroundings.secrets }
    const knownValues = new KnownValues(secrets, surroundings.journal)
    const pool = new ClientPool()
    const http = new HttpClient({ ...surroundings, secrets, onRequest: knownValues.announce })
    const listed = new ListedByServer()
    const responses = new TransportResponses(clock, target, timeout)
    let opening: Promise<ToolsHarness> | undefined
    const harness = () =>
      (opening ??= openHarness({
        target,
        identity,
        clock,
        timeout,
        shortenTimeout: responses.shortenTimeout,
        secrets,
        nextNumber,
        signal,
      }))
    const authenticationFor = (context: Context<ToolsMessage>) =>
      new AuthWorld(context, { target, harness, client: http, knownValues, pool })
    return {
      world: (context) =>
        Object.assign(
          new ToolsWorld(context, {
            target,
            harness,
            timeout,
            authenticationFor: authenticationFor,
            listed,
            responses,
          }),
          {
            auth: authenticationFor(context),
          },
        ),
      cleanUp: (world) => world.closeConnections(),
      close: async (throwaway) => {
        // Without a harness, there is nothing to close.
        await (await opening?.catch(() => undefined))?.close()
        // The clients need not be unregistered if the target is discarded after the run. Data that
        // tools created is never deleted.
        const left = throwaway
          ? []
          : await unregisterClients(knownValues.clients, http, surroundings.journal)
        http.close()
        return left
      },
      proposals: () => proposeKeys(target, listed),
      protocolVersions: () => [...listed.protocolVersions].toSorted(),
    }
  },
})

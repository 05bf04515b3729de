import {
  SharedExclusiveLock,
  newGate,
  type Clock,
  type Gate,
  type Message,
} from '../../../engine/index.ts'
import type { McpExchange, Secrets, ShortenTimeout } from '../../../wire/index.ts'
import { ConsentProgram, freeAddress } from '../../../wire/oauth/consent-program.ts'
import { FakeIdentityProvider } from '../../../wire/fakes/identity.ts'
import { McpClient } from '../../../wire/mcp.ts'
import { FakeUpstream } from '../../../wire/fakes/upstream.ts'
import type { ToolsTarget } from '../target.ts'
import { Bearer } from './bearer.ts'

/**
 * How many users sign in at the same time. A server may count an attempt as a failure until it has
 * verified the password, and lock a user after a few failures. One wrong password of a check can be
 * added.
 */
const maxSignIns = 3

/** The client of a tool server, and the fakes that the suite runs for it. */
export interface ToolsHarness {
  client: McpClient
  upstream: FakeUpstream | undefined
  /** The fake identity provider to which a server with the pattern oauth-proxy redirects users. */
  identity: FakeIdentityProvider | undefined
  /**
   * The program from the target file that acts as a user with a browser, and the redirect URI at
   * which the suite receives its result.
   */
  user: { program: ConsentProgram; redirectUri: string } | undefined
  /** The token that is sent with every request that does not set another token. */
  bearer: Bearer
  /**
   * Calls of tools share this lock. A check that attributes upstream requests to a call holds it
   * exclusively.
   */
  upstreamLock: SharedExclusiveLock
  /** Held exclusively by each check of the final stage. */
  finalStageLock: SharedExclusiveLock
  /** Every submission of a password passes through this gate. */
  signIns: Gate
  /** Resets the test endpoints of the target, and closes the client and the fakes. */
  close(): Promise<void>
}

export interface HarnessOptions {
  target: ToolsTarget
  /** The section `suite.identity` of the target file. */
  identity: { listen?: string | undefined; publicUrl?: string | undefined } | undefined
  clock: Clock
  /** Timeout of one exchange, in milliseconds. */
  timeout: number
  shortenTimeout: ShortenTimeout
  secrets: Secrets
  /** Returns the number of the next message of the run. */
  nextNumber: () => Message['number']
  /** Aborts when the run is cancelled. */
  signal?: AbortSignal | undefined
}

/**
 * Starts the fake upstream and the fake identity provider, if the target file configures them.
 * Then points the server at these fakes, and opens the client.
 */
export async function openHarness({
  target,
  identity: identitySettings,
  clock,
  timeout,
  shortenTimeout,
  secrets,
  nextNumber,
  signal,
}: HarnessOptions): Promise<ToolsHarness> {
  const { upstream: settings, stdio, auth } = target
  const bearer = new Bearer()
  const needsIdentityProvider =
    auth?.pattern === 'oauth-proxy' &&
    (identitySettings !== undefined || auth.upstream?.control !== undefined)
  const upstream =
    settings === undefined
      ? undefined
      : await FakeUpstream.start({
          listen: settings.listen,
          publicUrl: settings.publicUrl,
          forward: settings.forward,
          clock,
        })
  const identity = await (
    needsIdentityProvider ? FakeIdentityProvider.start({ ...identitySettings, clock }) : undefined
  )?.catch(async (error: unknown) => {
    await upstream?.close()
    throw error
  })
  // A server may tie sessions to a user. So the same user logs in during the whole run, unless a
  // check sets another user.
  if (identity !== undefined) identity.defaultBehavior = { user: identity.newUser() }
  const user =
    auth?.consent === 'command' && auth.command !== undefined
      ? {
          program: new ConsentProgram({
            command: auth.command.program,
            ...(auth.command.args === undefined ? {} : { args: auth.command.args }),
            clock,
          }),
          redirectUri: auth.redirectUri ?? `${await freeAddress()}/touchstone/back`,
        }
      : undefined
  const subprocess =
    stdio !== undefined && 'command' in stdio
      ? { ...stdio, ...withUpstreamUrl(stdio, upstream?.url ?? '') }
      : stdio
  const client = McpClient.open({
    access: {
      http: target.http,
      sse: target.sse,
      stdio: subprocess,
      get headers() {
        return bearer.headers
      },
    },
    clock,
    timeout,
    shortenTimeout,
    secrets,
    nextNumber,
    signal,
  })
  const pointAt = async (
    control: string | undefined,
    url: string | null,
  ): Promise<McpExchange | undefined> =>
    control === undefined
      ? undefined
      : client.http({
          url: control,
          method: 'POST',
          headers: { 'content-type': 'application/json', Authorization: undefined },
          body: { url },
          operation: 'control',
        })
  if (upstream !== undefined) await pointAt(settings?.control, upstream.url)
  if (identity !== undefined) await pointAt(auth?.upstream?.control, identity.url)
  return {
    client,
    upstream,
    identity,
    user,
    bearer,
    upstreamLock: new SharedExclusiveLock(),
    finalStageLock: new SharedExclusiveLock(),
    signIns: newGate({ concurrency: maxSignIns }),
    async close() {
      await Promise.all([
        upstream === undefined ? undefined : pointAt(settings?.control, null),
        identity === undefined ? undefined : pointAt(auth?.upstream?.control, null),
      ])
      await client.close()
      await Promise.all([upstream?.close(), identity?.close()])
    },
  }
}

/** Replaces `{upstream}` in the arguments and environment variables of a command with the URL. */
function withUpstreamUrl(
  {
    args,
    env,
  }: { args?: readonly string[] | undefined; env?: Readonly<Record<string, string>> | undefined },
  url: string,
) {
  const fillIn = (value: string) => value.replaceAll('{upstream}', url)
  return {
    ...(args === undefined ? {} : { args: args.map(fillIn) }),
    ...(env === undefined
      ? {}
      : {
          env: Object.fromEntries(
            Object.entries(env).map(([name, value]) => [name, fillIn(value)]),
          ),
        }),
  }
}

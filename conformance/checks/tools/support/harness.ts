import { SharedExclusiveLock, type Clock, type Message } from '../../../engine/index.ts'
import type { McpExchange, Secrets } from '../../../wire/index.ts'
import { ConsentProgram, freeAddress } from '../../../wire/oauth/consent-program.ts'
import { FakeIdentityProvider } from '../../../wire/fakes/identity.ts'
import { McpClient } from '../../../wire/mcp.ts'
import { FakeUpstream } from '../../../wire/fakes/upstream.ts'
import type { ToolsTarget } from '../target.ts'
import { Bearer } from './bearer.ts'

/** The door to a tool server, and what the suite plays for it. */
export interface ToolsHarness {
  door: McpClient
  upstream: FakeUpstream | undefined
  /** The identity provider behind an oauth-proxy. */
  identity: FakeIdentityProvider | undefined
  /** A program that is a user and its browser, where the target file names one, and where it returns: the suite listens there. */
  user: { program: ConsentProgram; returns: string } | undefined
  /** The token that all requests carry, but for those that give another. */
  bearer: Bearer
  /** Who calls tools beside others, and who wants to be alone with the upstream. */
  turns: SharedExclusiveLock
  /** Who acts at the end of the run: one after the other. */
  finalStageLock: SharedExclusiveLock
  /** Puts everything back and ends it. */
  close(): Promise<void>
}

export interface HarnessOptions {
  access: ToolsTarget
  /** Where the identity provider is played, where the target file says. */
  identity: { listen?: string | undefined; publicUrl?: string | undefined } | undefined
  clock: Clock
  /** Milliseconds. */
  timeout: number
  secrets: Secrets
  number: () => Message['number']
}

/** Plays the upstream and the identity provider, where the target file wants them, points the server at them, and opens the door. */
export async function openHarness({
  access,
  identity: listening,
  clock,
  timeout,
  secrets,
  number,
}: HarnessOptions): Promise<ToolsHarness> {
  const { upstream: wanted, stdio, auth } = access
  const bearer = new Bearer()
  const isPlayed =
    auth?.pattern === 'oauth-proxy' &&
    (listening !== undefined || auth.upstream?.hook !== undefined)
  const upstream =
    wanted === undefined
      ? undefined
      : await FakeUpstream.start({
          listen: wanted.listen,
          publicUrl: wanted.publicUrl,
          forward: wanted.forward,
          clock,
        })
  const identity = await (
    isPlayed ? FakeIdentityProvider.start({ ...listening, clock }) : undefined
  )?.catch(async (error: unknown) => {
    await upstream?.close()
    throw error
  })
  // One user for all of the run, but for those who play another: a server may want that sessions are their user's.
  if (identity !== undefined) identity.defaultBehavior = { user: identity.newUser() }
  const user =
    auth?.consent === 'command' && auth.command !== undefined
      ? {
          program: new ConsentProgram({ ...auth.command, clock }),
          returns: auth.redirectUri ?? `${await freeAddress()}/touchstone/back`,
        }
      : undefined
  const started =
    stdio !== undefined && 'command' in stdio
      ? { ...stdio, ...pointed(stdio, upstream?.url ?? '') }
      : stdio
  const door = McpClient.open({
    access: {
      http: access.http,
      sse: access.sse,
      stdio: started,
      get headers() {
        return bearer.headers
      },
    },
    clock,
    timeout,
    secrets,
    number,
  })
  const point = async (
    hook: string | undefined,
    url: string | null,
  ): Promise<McpExchange | undefined> =>
    hook === undefined
      ? undefined
      : door.http({
          url: hook,
          method: 'POST',
          headers: { 'content-type': 'application/json', Authorization: undefined },
          body: { url },
          operation: 'hook',
        })
  if (upstream !== undefined) await point(wanted?.hook, upstream.url)
  if (identity !== undefined) await point(auth?.upstream?.hook, identity.url)
  return {
    door,
    upstream,
    identity,
    user,
    bearer,
    turns: new SharedExclusiveLock(),
    finalStageLock: new SharedExclusiveLock(),
    async close() {
      await Promise.all([
        upstream === undefined ? undefined : point(wanted?.hook, null),
        identity === undefined ? undefined : point(auth?.upstream?.hook, null),
      ])
      await door.close()
      await Promise.all([upstream?.close(), identity?.close()])
    },
  }
}

/** A command with the address of the upstream in place of `{upstream}`. */
function pointed(
  {
    args,
    env,
  }: { args?: readonly string[] | undefined; env?: Readonly<Record<string, string>> | undefined },
  url: string,
) {
  const filled = (text: string) => text.replaceAll('{upstream}', url)
  return {
    ...(args === undefined ? {} : { args: args.map(filled) }),
    ...(env === undefined
      ? {}
      : {
          env: Object.fromEntries(Object.entries(env).map(([name, text]) => [name, filled(text)])),
        }),
  }
}

import type { Clock, Message } from '../../engine/index.ts'
import { McpDoor, Upstream, type McpExchange, type Secrets } from '../../wire/index.ts'
import type { ToolsAccess } from './access.ts'
import { Turns } from './turns.ts'

/** The door to a tool server, and the upstream that the suite plays for it. */
export interface Place {
  door: McpDoor
  upstream: Upstream | undefined
  /** Who calls tools beside others, and who wants to be alone with the upstream. */
  turns: Turns
  /** Puts everything back and ends it. */
  close(): Promise<void>
}

export interface PlaceOptions {
  access: ToolsAccess
  clock: Clock
  /** Milliseconds. */
  timeout: number
  secrets: Secrets
  number: () => Message['number']
}

/** Plays the upstream, where the target file wants one, points the server at it, and opens the door. */
export async function openPlace({ access, clock, timeout, secrets, number }: PlaceOptions): Promise<Place> {
  const { upstream: wanted, stdio } = access
  const upstream = wanted === undefined ? undefined : await Upstream.start({ listen: wanted.listen, publicUrl: wanted.publicUrl, forward: wanted.forward, clock })
  const started = stdio !== undefined && 'command' in stdio ? { ...stdio, ...pointed(stdio, upstream?.url ?? '') } : stdio
  const door = McpDoor.open({ access: { http: access.http, sse: access.sse, stdio: started }, clock, timeout, secrets, number })
  const point = (url: string | null): Promise<McpExchange> | undefined =>
    wanted?.hook === undefined ? undefined : door.http({ url: wanted.hook, method: 'POST', headers: { 'content-type': 'application/json' }, body: { url }, operation: 'upstream' })
  if (upstream !== undefined) await point(upstream.url)
  return {
    door,
    upstream,
    turns: new Turns(),
    async close() {
      await point(null)
      await door.close()
      await upstream?.close()
    },
  }
}

/** A command with the address of the upstream in place of `{upstream}`. */
function pointed({ args, env }: { args?: readonly string[] | undefined; env?: Readonly<Record<string, string>> | undefined }, url: string) {
  const filled = (text: string) => text.replaceAll('{upstream}', url)
  return {
    ...(args === undefined ? {} : { args: args.map(filled) }),
    ...(env === undefined ? {} : { env: Object.fromEntries(Object.entries(env).map(([name, text]) => [name, filled(text)])) }),
  }
}

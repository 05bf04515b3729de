import type { Readable, Writable } from 'node:stream'
import type { EventName } from '../../generated/events/names.ts'
import { concerns, type AuthTarget } from './auth.ts'
import { keys, sectionOf } from './keys.ts'

const secrets = keys.flatMap(({ path, kind, variable }) =>
  variable === undefined || kind === 'map' ? [] : [{ path, variable }],
)

/** An implementation of the image hosting API, and what it lets the suite do. */
export interface ImagesTarget {
  url: string
  account: string
  token: string
  limitedToken?: string
  batch?: { url: string; token: string }
  delivery?: string
  maxFileBytes?: number
  bulk?: boolean
  flexibleVariants?: boolean
  state: boolean
  /** `POST {"offsetSeconds": N}` to it moves the target's clock. */
  clock?: string
  /** Milliseconds after which the target gives up a picture that stalls. */
  fetchTimeout?: number
}

/** A service in which hooks are configured, and which sends deliveries. */
export interface HooksTarget {
  url: string
  project: string
  token: string
  /** Flags of the hook configuration whose events a test call can bring about. */
  triggers: readonly string[]
  /** Whether it delivers at all. */
  state: boolean
}

/** A program that takes deliveries. */
export interface ReceiverTarget {
  url: string
  secret?: string
  events: readonly EventName[]
  onMismatch: 'refuse' | 'drop'
}

/** A server of the greeting RPC. */
export interface GreetingTarget {
  /** host:port */
  address: string
  /** The full name of its service; found by reflection where it is not given. */
  service?: string
  metadata?: Readonly<Record<string, string>>
  /** PEM texts. The section alone means TLS with the authorities that the system trusts. */
  tls?: { ca?: string; cert?: string; key?: string }
  relationship?: 'one-to-one'
}

/** A tool, and arguments that it takes. */
export interface ToolCall {
  tool: string
  arguments: Readonly<Record<string, unknown>>
}

/** The streams of a program that was started, or of what stands for one. */
export interface Pipes {
  readonly input: Writable
  readonly output: Readable
  readonly errors?: Readable | undefined
  /** Resolves when it has ended; never rejects. */
  readonly closed: Promise<{
    code?: number | undefined
    signal?: string | undefined
    failure?: string | undefined
  }>
  /** Ends it by force, the first time gently. */
  close(force?: boolean): void | Promise<void>
}

/** A tool server, and what the suite may call there. At least one transport is given. */
export interface ToolsTarget {
  http?: string
  sse?: string
  /** `{upstream}` in arguments and variables stands for the address of the upstream. Code may give a way to connect in place of a program. */
  stdio?:
    | {
        command: string
        args?: readonly string[]
        env?: Readonly<Record<string, string>>
        cwd?: string
      }
    | { connect(): Pipes }
  /** `id` and `title` are members of an item in json. */
  search?: ToolCall & { id?: string; title?: string }
  long?: ToolCall & { id?: string }
  get?: ToolCall
  /** Further tools by name, with arguments. */
  calls?: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  elicit?: ToolCall & { content: Readonly<Record<string, unknown>> }
  resource?: string
  /** The upstream that the suite plays. */
  upstream?: { listen?: string; publicUrl?: string; forward?: string; hook?: string }
  /** `POST {"offsetSeconds": N}` to it moves the clock by which the target waits. */
  clock?: string
  /** Pattern none where it is not given. */
  auth?: AuthTarget
}

/** How the suite itself behaves. Times are milliseconds. */
export interface SuiteSettings {
  /** The pictures that the target fetches; undefined where the target file does not declare them. */
  pictures?: { listen?: string; publicUrl?: string } | undefined
  /** The receiver that hooks are pointed at; undefined where the target file does not declare it. */
  receiver?:
    { listen?: string; publicUrl?: string; tlsListen?: string; tlsUrl?: string } | undefined
  /** The identity provider behind an oauth-proxy; undefined where the target file does not declare it. */
  identity?: { listen?: string; publicUrl?: string } | undefined
  /** How long a delivery may take to arrive. */
  patience: number
  /** How long a sender is watched after a failure. */
  watch: number
  settle: number
  pace: number
  concurrency: number
  timeout: number
}

/** What is judged. Plain data: it travels to the worker in which the checks run. */
export interface Target {
  images?: ImagesTarget
  hooks?: HooksTarget
  receiver?: ReceiverTarget
  greeting?: GreetingTarget
  tools?: ToolsTarget
  suite: SuiteSettings
}

/** Something about the target that only people can put right. The message is for them: place, what is wrong, next step. */
export class TargetError extends Error {
  override readonly name = 'TargetError'
}

/** Which of the needed paths (`images.batch`, `images.state`, …) the target does not give. */
export function lacking(target: Target, needs: readonly string[]): string[] {
  return needs.filter((path) => !gives(target, path))
}

function gives(target: Target, path: string): boolean {
  const { images, hooks, receiver, tools, suite } = target
  if (path === 'suite.pictures')
    return suite.pictures !== undefined || (images !== undefined && onLoopback(images.url))
  if (path === 'suite.receiver')
    return suite.receiver?.publicUrl !== undefined || (hooks !== undefined && onLoopback(hooks.url))
  // Its checks tell that they are not applicable.
  if (tools !== undefined && !concerns(path, tools.auth?.pattern ?? 'none')) return true
  if (path === 'suite.identity')
    return suite.identity !== undefined || tools?.auth?.upstream?.hook !== undefined
  // Over TLS the suite signs its certificate itself, so nobody in between may end the connection: an address of its own.
  if (path === 'suite.receiver.tlsUrl')
    return suite.receiver?.tlsUrl !== undefined || (hooks !== undefined && onLoopback(hooks.url))
  if (path.startsWith('hooks.triggers.'))
    return hooks?.triggers.includes(path.slice('hooks.triggers.'.length)) ?? false
  if (path.startsWith('receiver.events.'))
    return (
      (receiver?.events as readonly string[] | undefined)?.includes(
        path.slice('receiver.events.'.length),
      ) ?? false
    )
  const value = at(target, path)
  // A switch that is off locks its checks, but for the one that tells a setting.
  return path === 'images.flexibleVariants'
    ? value !== undefined
    : value !== undefined && value !== false
}

function at(target: Target, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>(
      (holder, name) => (holder as Record<string, unknown> | undefined)?.[name],
      target,
    )
}

/** Whether a URL leads to this machine: a target there can fetch pictures from it. */
export function onLoopback(url: string): boolean {
  const { hostname } = new URL(url)
  return (
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    hostname === '[::1]' ||
    /^127\./.test(hostname)
  )
}

/** The target's secrets, each under the variable that stands for it in reports. */
export function secretsOf(target: Target): Record<string, string | undefined> {
  return {
    ...Object.fromEntries(
      secrets.map(({ path, variable }) => [variable, at(target, path) as string | undefined]),
    ),
    ...Object.fromEntries(
      Object.entries(target.greeting?.metadata ?? {}).flatMap(([name, value]) =>
        isSecret(name, value) ? [[variableOf(name), credentialOf(value)]] : [],
      ),
    ),
    ...Object.fromEntries(
      Object.entries(target.tools?.auth?.form ?? {}).flatMap(([name, value]) =>
        isSecret(name, value) ? [[fieldOf(name), value]] : [],
      ),
    ),
  }
}

/** A short value may be any word, which would then be missing from every text; but a name can tell what it is. */
function isSecret(name: string, value: string): boolean {
  return value.length >= 8 || /auth|token|secret|key|pass|cookie|session/i.test(name)
}

/** Metadata comes from a map, and no variable is known to hold it: one is named after it. */
const variableOf = (name: string) => `GREETING_${capitals(name)}`
const fieldOf = (name: string) => `TOOLS_${capitals(name)}`
const capitals = (name: string) => name.toUpperCase().replace(/[^A-Z\d]/g, '_')

/** What follows the scheme, as in `Bearer …`: a server may tell it without the scheme. */
const credentialOf = (value: string) => /^[A-Za-z][\w-]* (\S{4,})$/.exec(value)?.[1] ?? value

/** The target as a report may show it: secrets are written as the variables that hold them, keys and certificates by their size. */
export function publicTarget(target: Target): Target {
  const { tools, ...plain } = target
  // A way to connect is no data.
  const { stdio: way, ...others } = tools ?? {}
  const shown: Target = structuredClone(
    tools === undefined
      ? plain
      : {
          ...plain,
          tools: { ...others, ...(way !== undefined && 'command' in way ? { stdio: way } : {}) },
        },
  )
  for (const { path, variable } of secrets) {
    const holder = at(shown, sectionOf(path)) as Record<string, unknown> | undefined
    const name = path.split('.').at(-1)!
    if (holder?.[name] !== undefined) holder[name] = `$${variable}`
  }
  const { metadata, tls } = shown.greeting ?? {}
  if (metadata !== undefined)
    shown.greeting!.metadata = Object.fromEntries(
      Object.keys(metadata).map((name) => [name, `$${variableOf(name)}`]),
    )
  if (tls !== undefined)
    shown.greeting!.tls = Object.fromEntries(
      Object.entries(tls).map(([name, text]) => [name, `PEM of ${text.length} characters`]),
    )
  // What a program is started with may hold secrets, and nothing tells which.
  const { stdio } = shown.tools ?? {}
  if (stdio !== undefined && 'command' in stdio && stdio.env !== undefined)
    stdio.env = Object.fromEntries(Object.keys(stdio.env).map((name) => [name, `$${name}`]))
  const { auth } = shown.tools ?? {}
  if (auth?.form !== undefined)
    auth.form = Object.fromEntries(
      Object.keys(auth.form).map((name) => [name, `$${fieldOf(name)}`]),
    )
  return shown
}

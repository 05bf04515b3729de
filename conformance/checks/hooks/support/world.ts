import type { RequirementId } from '../../../../generated/requirements/index.ts'
import { NotCovered, type Context, type Expectation } from '../../../engine/index.ts'
import type { Delivery, HttpExchange, HttpRequest, Mailbox, Receiver } from '../../../wire/index.ts'
import {
  HttpWorld,
  type Contrast,
  type HttpWorldOptions,
  type ResponseRules,
} from '../../shared/http-world.ts'
import { isNoDelivery, note, type Expected } from './expectations.ts'
import type { CreatedHook } from './hook.ts'
import { idOf, HooksRequests, type Fields } from './requests.ts'
import type { HooksTarget } from '../target.ts'

export type HooksMessage = HttpExchange | Delivery

const roots: Readonly<Record<string, RequirementId>> = {
  createHook: 'HOOK-CREATE-01',
  testHook: 'HOOK-TEST-01',
}

/** The row that an operation itself stands in. */
export function rootOf(operation: string): RequirementId {
  const known = roots[operation]
  if (known === undefined) throw new Error(`${operation} is no operation of the contract`)
  return known
}

const isSuccess = ({ status = 0 }: HttpExchange) => status >= 200 && status < 300

// No status is shown for anything. What RFC 9110 calls successful is a success, and every other answer refuses; that it should be one of the 400s is a row of
// its own. A rate limit says nothing about the request.
const succeeded: Expectation<HttpExchange> = {
  name: 'succeeds',
  expected: 'a status of success',
  test: isSuccess,
}
const refused: Expectation<HttpExchange> = {
  name: 'is refused',
  expected: 'refused',
  test: ({ status = 0 }) => status >= 300 && status !== 429,
}

const reading: ResponseRules = {
  succeeded,
  isSuccess,
  rootOf,
  rateLimitRequirement: 'HOOK-LIMIT-01',
}

/**
 * How what a run makes up begins, as a pattern: names, and the keys of mailboxes. Each hook has a mailbox of its own, also the one that a refusal is compared
 * with, since whether two hooks may share a url is open.
 */
const madeUp = (prefix: string) => `(?:${prefix}|k(?=[0-9a-f]{32}))`

interface HooksOptions extends HttpWorldOptions {
  access: HooksTarget
  /** Milliseconds that a delivery may take. */
  patience: number
  /** Milliseconds for which a sender is watched after a failure. */
  watch: number
  receiver: (secure: boolean) => Promise<Receiver>
  /** Told of each hook that was made. */
  made: (hook: string) => void
}

/** What a check of the hook contract acts with. */
export class HooksWorld extends HttpWorld<HooksMessage> {
  readonly access: HooksTarget
  readonly request: HooksRequests
  readonly isSuccess = isSuccess
  private readonly options: HooksOptions
  private names = 0
  private readonly hooks: string[] = []

  constructor(context: Context<HooksMessage>, options: HooksOptions) {
    super(context, reading, {
      ...options,
      prefix: madeUp(options.prefix),
      onExchange: (exchange) => this.remember(exchange),
    })
    this.access = options.access
    this.request = new HooksRequests(options.access)
    this.options = options
  }

  /** A name that nothing at the target has. */
  readonly name = (): string => {
    this.names += 1
    return `${this.options.prefix}${this.context.priority}x${this.names}`
  }

  /** Sends a request that must be refused, beside its contrast. */
  readonly refuses = (request: HttpRequest, contrast: Contrast): Promise<HttpExchange> =>
    this.expectRefusedWithContrast({ ...request, meaning: 'refused' }, refused, contrast)

  /** An address to deliver to; over TLS one whose certificate nobody trusts. */
  readonly mailbox = async (secure = false): Promise<Mailbox> =>
    (await this.options.receiver(secure)).open()

  /** The fields of the least hook that there is. */
  readonly least = async (): Promise<{ url: string }> => ({ url: (await this.mailbox()).url })

  /** Makes a hook; not covered where the answer names no id that could be used. */
  readonly hook = async (
    fields: Fields = {},
    { secure = false, mailbox }: { secure?: boolean; mailbox?: Mailbox } = {},
  ): Promise<CreatedHook> => {
    const own = mailbox ?? (await this.mailbox(secure))
    const answer = await this.sendOrBlock(this.request.create({ url: own.url, ...fields }))
    return {
      id: this.idOf(answer, own.url),
      mailbox: own,
      token: typeof fields['token'] === 'string' ? fields['token'] : undefined,
      answer,
    }
  }

  /** The id in the answer to a creation. */
  readonly idOf = (answer: HttpExchange, url: string): string => {
    const id = idOf(answer, url)
    if (id === undefined)
      throw new NotCovered(
        'no id of the hook was found in the answer to its creation, nor in a Location header',
      )
    return id
  }

  /** Has a hook tested; blocked where the call does not succeed. */
  readonly test = async (hook: CreatedHook, event = 'push_events'): Promise<HttpExchange> =>
    this.sendOrBlock(this.request.test(hook.id, event))

  /** The next delivery at a hook's address, shown to the checks that watch as what it is expected to be; undefined where none comes in time. */
  readonly arrival = async (
    hook: CreatedHook,
    expected: Omit<Expected, 'hook'>,
    within = this.options.patience,
  ): Promise<Delivery | undefined> => {
    const delivery = await this.context.ledger.track(
      hook.mailbox.next(within, (request) => request.complete && !isNoDelivery(request)),
    )
    if (delivery !== undefined) {
      note(delivery, { ...expected, hook })
      this.context.ledger.record(delivery)
    }
    return delivery
  }

  /** The hooks that were made here. */
  get own(): readonly string[] {
    return this.hooks
  }

  /** Milliseconds for which a sender is watched after a failure. */
  get watch(): number {
    return this.options.watch
  }

  private remember(exchange: HttpExchange): void {
    const {
      operation,
      request: { body },
    } = exchange
    if (operation !== 'createHook' || !isSuccess(exchange)) return
    const id = idOf(
      exchange,
      body?.kind === 'json' ? String((body.value as { url?: unknown }).url) : '',
    )
    if (id === undefined) return
    this.hooks.push(id)
    this.options.made(id)
  }
}

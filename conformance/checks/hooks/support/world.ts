import type { RequirementId } from '../../../../generated/requirements/index.ts'
import { NotCovered, type Context, type Expectation } from '../../../engine/index.ts'
import type { Delivery, HttpExchange, HttpRequest, Mailbox, Receiver } from '../../../wire/index.ts'
import {
  HttpWorld,
  type Contrast,
  type HttpWorldOptions,
  type ResponseRules,
} from '../../shared/http-world.ts'
import { isUnrelatedRequest, setExpected, type ExpectedDelivery } from './expectations.ts'
import type { CreatedHook } from './hook.ts'
import { findHookId, HooksRequests, type Fields } from './requests.ts'
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

const responseRules: ResponseRules = {
  succeeded,
  isSuccess,
  rootOf,
  rateLimitRequirement: 'HOOK-LIMIT-01',
}

/**
 * How what a run makes up begins, as a pattern: names, and the keys of mailboxes. Each hook has a mailbox of its own, also the one that a refusal is compared
 * with, since whether two hooks may share a url is open.
 */
const generatedPattern = (prefix: string) => `(?:${prefix}|k(?=[0-9a-f]{32}))`

interface HooksWorldOptions extends HttpWorldOptions {
  target: HooksTarget
  /** Milliseconds that a delivery may take. */
  deliveryTimeoutMs: number
  /** Milliseconds for which a sender is watched after a failure. */
  watchMs: number
  receiver: (secure: boolean) => Promise<Receiver>
  /** Told of each hook that was made. */
  onCreated: (hook: string) => void
}

/** What a check of the hook contract acts with. */
export class HooksWorld extends HttpWorld<HooksMessage> {
  readonly target: HooksTarget
  readonly request: HooksRequests
  readonly isSuccess = isSuccess
  private readonly options: HooksWorldOptions
  private names = 0
  private readonly created: string[] = []

  constructor(context: Context<HooksMessage>, options: HooksWorldOptions) {
    super(context, responseRules, {
      ...options,
      prefix: generatedPattern(options.prefix),
      onExchange: (exchange) => this.trackCreated(exchange),
    })
    this.target = options.target
    this.request = new HooksRequests(options.target)
    this.options = options
  }

  /** A name that nothing at the target has. */
  readonly newName = (): string => {
    this.names += 1
    return `${this.options.prefix}${this.context.priority}x${this.names}`
  }

  /** Sends a request that must be refused, beside its contrast. */
  readonly expectRefusal = (request: HttpRequest, contrast: Contrast): Promise<HttpExchange> =>
    this.expectRefusedWithContrast({ ...request, meaning: 'refused' }, refused, contrast)

  /** An address to deliver to; over TLS one whose certificate nobody trusts. */
  readonly openMailbox = async (secure = false): Promise<Mailbox> =>
    (await this.options.receiver(secure)).openMailbox()

  /** The fields of the least hook that there is. */
  readonly minimalFields = async (): Promise<{ url: string }> => ({
    url: (await this.openMailbox()).url,
  })

  /** Makes a hook; not covered where the answer names no id that could be used. */
  readonly createHook = async (
    fields: Fields = {},
    { secure = false, mailbox }: { secure?: boolean; mailbox?: Mailbox } = {},
  ): Promise<CreatedHook> => {
    const destination = mailbox ?? (await this.openMailbox(secure))
    const answer = await this.sendOrBlock(this.request.create({ url: destination.url, ...fields }))
    return {
      id: this.requireId(answer, destination.url),
      mailbox: destination,
      token: typeof fields['token'] === 'string' ? fields['token'] : undefined,
      answer,
    }
  }

  /** The id in the answer to a creation. */
  readonly requireId = (answer: HttpExchange, url: string): string => {
    const id = findHookId(answer, url)
    if (id === undefined)
      throw new NotCovered(
        'no id of the hook was found in the answer to its creation, nor in a Location header',
      )
    return id
  }

  /** Has a hook tested; blocked where the call does not succeed. */
  readonly testHook = async (hook: CreatedHook, event = 'push_events'): Promise<HttpExchange> =>
    this.sendOrBlock(this.request.test(hook.id, event))

  /** The next delivery at a hook's address, shown to the checks that watch as what it is expected to be; undefined where none comes in time. */
  readonly receiveDelivery = async (
    hook: CreatedHook,
    expected: Omit<ExpectedDelivery, 'hook'>,
    within = this.options.deliveryTimeoutMs,
  ): Promise<Delivery | undefined> => {
    const delivery = await this.context.ledger.track(
      hook.mailbox.next(within, (request) => request.isComplete && !isUnrelatedRequest(request)),
    )
    if (delivery !== undefined) {
      setExpected(delivery, { ...expected, hook })
      this.context.ledger.record(delivery)
    }
    return delivery
  }

  /** The hooks that were made here. */
  get createdHooks(): readonly string[] {
    return this.created
  }

  /** Milliseconds for which a sender is watched after a failure. */
  get watchMs(): number {
    return this.options.watchMs
  }

  private trackCreated(exchange: HttpExchange): void {
    const {
      operation,
      request: { body },
    } = exchange
    if (operation !== 'createHook' || !isSuccess(exchange)) return
    const id = findHookId(
      exchange,
      body?.kind === 'json' ? String((body.value as { url?: unknown }).url) : '',
    )
    if (id === undefined) return
    this.created.push(id)
    this.options.onCreated(id)
  }
}

import type { RequirementId } from '../../../../generated/requirements/index.ts'
import { NotCovered, type Context, type Expectation } from '../../../engine/index.ts'
import type { Delivery, HttpExchange, HttpRequest, Mailbox, Receiver } from '../../../wire/index.ts'
import {
  HttpWorld,
  type Contrast,
  type HttpWorldOptions,
  type ResponseRules,
} from '../../shared/http-world.ts'
import {
  isSuccess,
  isUnrelatedRequest,
  setExpected,
  succeeded,
  type ExpectedDelivery,
} from './expectations.ts'
import type { CreatedHook } from './hook.ts'
import { findHookId, HooksRequests, type Fields } from './requests.ts'
import type { HooksNeed, HooksTarget } from '../target.ts'

export type HooksMessage = HttpExchange | Delivery

const roots: Readonly<Record<string, RequirementId>> = {
  createHook: 'HOOK-CREATE-01',
  testHook: 'HOOK-TEST-01',
}

/** The requirement for the operation itself. */
export function rootOf(operation: string): RequirementId {
  const known = roots[operation]
  if (known === undefined) throw new Error(`${operation} is not an operation of the contract`)
  return known
}

// Every status except 2xx is a refusal; that it should be a 4xx is covered by HOOK-ERROR-02. A rate
// limit says nothing about the request.
const refused: Expectation<HttpExchange> = {
  name: 'is refused',
  expected: 'a refusal (any status except 2xx and 429)',
  test: ({ status = 0 }) => status >= 300 && status !== 429,
}

const responseRules: ResponseRules = {
  succeeded,
  isSuccess,
  rootOf,
}

/**
 * A pattern for the beginning of generated values: names, and keys of mailboxes. Each hook has its
 * own mailbox, even that of a contrast, because the document does not say whether hooks may
 * share a URL.
 */
const generatedPattern = (prefix: string) => `(?:${prefix}|k(?=[0-9a-f]{32}))`

interface HooksWorldOptions extends HttpWorldOptions {
  target: HooksTarget
  /** Milliseconds within which a delivery must arrive. */
  deliveryTimeoutMs: number
  /** Milliseconds for which the suite watches a sender after a failure. */
  watchMs: number
  receiver: (secure: boolean) => Promise<Receiver>
  /** Whether the target file declares that the target can reach the receivers. */
  isReceiverDeclared: boolean
  /** Called with the id of each hook that was created. */
  onCreated: (hook: string) => void
}

/** The operations that a check of the hook contract can use. */
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

  /** Generates a name that does not exist on the target. */
  readonly newName = (): string => {
    this.names += 1
    return `${this.options.prefix}${this.context.priority}x${this.names}`
  }

  /** Sends a request that must be refused, together with its contrast. */
  readonly expectRefusal = (request: HttpRequest, contrast: Contrast): Promise<HttpExchange> =>
    this.expectRefusedWithContrast({ ...request, meaning: 'refused' }, refused, contrast)

  /** Opens a mailbox to deliver to. With TLS, its certificate is self-signed. */
  readonly openMailbox = async (secure = false): Promise<Mailbox> =>
    (await this.options.receiver(secure)).openMailbox()

  /** The fields of a minimal hook. */
  readonly minimalFields = async (): Promise<{ url: string }> => ({
    url: (await this.openMailbox()).url,
  })

  /** Creates a hook. The check is not covered if the response contains no id. */
  readonly createHook = async (
    fields: Fields = {},
    { secure = false, mailbox }: { secure?: boolean; mailbox?: Mailbox } = {},
  ): Promise<CreatedHook> => {
    const destination = mailbox ?? (await this.openMailbox(secure))
    const response = await this.sendOrBlock(
      this.request.create({ url: destination.url, ...fields }),
    )
    return {
      id: this.requireId(response, destination.url),
      mailbox: destination,
      token: typeof fields['token'] === 'string' ? fields['token'] : undefined,
      response,
    }
  }

  /** The id in the response to a creation. */
  readonly requireId = (response: HttpExchange, url: string): string => {
    const id = findHookId(response, url)
    if (id === undefined)
      throw new NotCovered(
        'the response to creating a hook contains no id of the hook, neither in the body nor in a Location header',
      )
    return id
  }

  /** Sends a test call for a hook. Blocks the check if it does not succeed. */
  readonly testHook = async (hook: CreatedHook, event = 'push_events'): Promise<HttpExchange> =>
    this.sendOrBlock(this.request.test(hook.id, event))

  /**
   * Waits for the next delivery to a hook, and passes it to the watching checks with what it must
   * be. Undefined if none arrives in time.
   */
  readonly receiveDelivery = async (
    hook: CreatedHook,
    expected: Omit<ExpectedDelivery, 'hook'>,
    within = this.options.deliveryTimeoutMs,
  ): Promise<Delivery | undefined> => {
    const delivery = await this.context.ledger.track(
      hook.mailbox.next(within, (request) => request.isComplete && !isUnrelatedRequest(request)),
    )
    if (delivery === undefined) await this.requireReached()
    else {
      setExpected(delivery, { ...expected, hook })
      this.context.ledger.record(delivery)
    }
    return delivery
  }

  /**
   * Ends the check as not covered if the target has never connected to a receiver of the suite and
   * the target file does not declare that it can.
   */
  readonly requireReached = async (): Promise<void> => {
    const { receiver, isReceiverDeclared } = this.options
    if (isReceiverDeclared) return
    const plain = await receiver(false)
    if (plain.connections === 0)
      throw new NotCovered<HooksNeed>(
        `the target has not connected to ${plain.origin}: it may be in a container, or refuse private addresses; if it can reach that address, set suite.receiver.listen`,
        ['suite.receiver.publicUrl'],
      )
  }

  /** The ids of the hooks that this check created. */
  get createdHooks(): readonly string[] {
    return this.created
  }

  /** Milliseconds for which the suite watches a sender after a failure. */
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

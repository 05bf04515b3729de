import type { RequirementId } from '../../../../generated/requirements/index.ts'
import { Blocked, NotCovered, type Context, type Expectation } from '../../../engine/index.ts'
import type { Delivery, HttpExchange, HttpRequest, Mailbox, Receiver } from '../../../wire/index.ts'
import {
  HttpWorld,
  type Contrast,
  type HttpWorldOptions,
  type ResponseRules,
} from '../../shared/http-world.ts'
import {
  arrives,
  isUnauthorized,
  isSuccess,
  isUnrelatedRequest,
  mayBeConfidentialIssue,
  setExpected,
  succeeded,
  type ExpectedDelivery,
} from './expectations.ts'
import type { TrackedHook } from './cleanup.ts'
import { describeMissing, type Cause } from './missing-delivery.ts'
import type { ProgramRun } from './program-run.ts'
import type { CreatedHook } from './hook.ts'
import {
  encodeForm,
  findHookId,
  HooksRequests,
  urlOf,
  type BodyFormat,
  type Fields,
} from './requests.ts'
import { flags, type EventName } from '../../../../generated/events/names.ts'
import {
  hasEndpointFor,
  type HooksNeed,
  type HooksTarget,
  type EventProgram,
  type TriggeredFlag,
} from '../target.ts'
import { actionsOf } from './actions.ts'

export type HooksMessage = HttpExchange | Delivery

const roots: Readonly<Record<string, RequirementId>> = {
  createHook: 'HOOK-CREATE-01',
  testHook: 'HOOK-TEST-01',
}

/** The requirement that states that the operation works. */
export function rootOf(operation: string): RequirementId {
  const root = roots[operation]
  if (root === undefined) throw new Error(`${operation} is not an operation of the contract`)
  return root
}

// Every status except 2xx and 429 is a refusal. According to HOOK-ERROR-02, a refusal should have a
// 4xx status. 429 is a rate limit, which does not depend on the content of the request.
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
 * A regular expression for the beginning of a generated name, or of the key of a mailbox. Each hook
 * has its own mailbox, because the document does not say whether hooks may share a URL.
 */
const generatedPattern = (prefix: string) => `(?:${prefix}|k(?=[0-9a-f]{32}))`

/** If the run has created this many hooks, a refusal may be due to a limit on their number. */
const minCreatedBeforeLimit = 12

/**
 * How often the timeout for a delivery may begin. It begins again when other hooks receive
 * deliveries.
 */
const maxRounds = 10

interface HooksWorldOptions extends HttpWorldOptions {
  target: HooksTarget
  /** Milliseconds within which a delivery must arrive. */
  deliveryTimeoutMs: number
  /** How long the suite watches for further deliveries, in milliseconds. */
  watchMs: number
  receiver: (secure: boolean) => Promise<Receiver>
  /** Whether the target file declares that the target can reach the receivers. */
  isReceiverDeclared: boolean
  /** Shared by all checks of the run. */
  format: BodyFormat
  /** How many hooks the run has created. */
  countCreated: () => number
  /**
   * Called with each exchange of createHook, and with the hook that it created; undefined if it
   * created none, or if the id is unknown.
   */
  onCreation: (exchange: HttpExchange, hook: TrackedHook | undefined) => void
  /** Runs a program of the target file. Never rejects. */
  runProgram: (program: EventProgram, signal: AbortSignal) => Promise<ProgramRun>
}

/** How a check creates a hook. */
export interface CreationOptions {
  /** Whether the hook's URL is an https URL with a self-signed certificate; by default false. */
  secure?: boolean
  /** The mailbox that gets the hook's deliveries; by default a new one. */
  mailbox?: Mailbox
  /** By default the project of the target file. */
  project?: string
  /** Whether the fields are sent as a form; by default, as in the other requests of the run. */
  asForm?: boolean
}

/** The operations that a check of the hook contract can use. */
export class HooksWorld extends HttpWorld<HooksMessage> {
  readonly target: HooksTarget
  readonly request: HooksRequests
  readonly isSuccess = isSuccess
  private readonly options: HooksWorldOptions
  private names = 0
  private readonly created: TrackedHook[] = []

  constructor(context: Context<HooksMessage>, options: HooksWorldOptions) {
    super(context, responseRules, {
      ...options,
      prefix: generatedPattern(options.prefix),
      onExchange: (exchange) => this.trackCreated(exchange),
    })
    this.target = options.target
    this.request = new HooksRequests(options.target, options.format)
    this.options = options
  }

  /** Generates a name that does not exist on the target. */
  readonly newName = (): string => {
    this.names += 1
    const { random, priority } = this.context
    return `${this.options.prefix}${priority}x${this.names}${random.letters(random.int(1, 16))}`
  }

  /**
   * Sends a request that creates a hook, with JSON as its body. If the service refuses it, sends a
   * form. If only the form is accepted, the rest of the run sends forms.
   */
  readonly createInAnyFormat = async (fields: Fields): Promise<HttpExchange> => {
    const response = await this.send(this.request.create(fields))
    if (isSuccess(response) || isUnauthorized(response) || this.request.format.isForm)
      return response
    const form = await this.send(this.request.create(encodeForm(fields)))
    if (!isSuccess(form)) return response
    this.request.format.isForm = true
    return form
  }

  /**
   * Ends the check as not covered if the service refuses even a minimal hook after the run created
   * many. Services may limit the number of hooks, and the document describes no way to delete
   * them.
   */
  protected override async requirePossible(exchange: HttpExchange): Promise<void> {
    const { operation, status = 0 } = exchange
    const created = this.options.countCreated()
    if (operation !== 'createHook' || status < 400 || status >= 500) return
    if (isUnauthorized(exchange) || created < minCreatedBeforeLimit) return
    const minimal = await this.send(this.request.create(await this.minimalFields()))
    if (!isSuccess(minimal))
      throw new NotCovered<HooksNeed>(
        `the service refuses every further hook after this run has created ${created}: raise its limit, or set hooks.project to a project without a limit`,
        ['hooks.project'],
      )
  }

  /** Sends a request that must be refused, and a similar request that must succeed. */
  readonly expectRefusal = (request: HttpRequest, contrast: Contrast): Promise<HttpExchange> =>
    this.expectRefusedWithContrast({ ...request, meaning: 'refused' }, refused, contrast)

  /**
   * Opens a mailbox. If `secure`, it has an https URL with a self-signed certificate. A cancelled
   * run does not wait for deliveries.
   */
  readonly openMailbox = async (secure = false): Promise<Mailbox> => {
    const mailbox = (await this.options.receiver(secure)).openMailbox()
    if (this.signal.aborted) mailbox.end()
    else this.signal.addEventListener('abort', () => mailbox.end(), { once: true })
    return mailbox
  }

  /** The fields of a minimal hook, with the URL of a new mailbox. */
  readonly minimalFields = async (): Promise<{ url: string }> => ({
    url: (await this.openMailbox()).url,
  })

  /** Creates a hook. The check is not covered if the response contains no id. */
  readonly createHook = async (
    fields: Fields = {},
    {
      secure = false,
      mailbox,
      project = this.target.project,
      asForm = false,
    }: CreationOptions = {},
  ): Promise<CreatedHook> => {
    const destination = mailbox ?? (await this.openMailbox(secure))
    const url = typeof fields['url'] === 'string' ? fields['url'] : destination.url
    const all = { url, ...fields }
    const response = await this.sendOrBlock(
      this.request.create(asForm ? encodeForm(all) : all, project),
    )
    return {
      id: this.requireId(response, url),
      project,
      mailbox: destination,
      pathAndQuery: url.slice(new URL(url).origin.length),
      token: typeof fields['token'] === 'string' ? fields['token'] : undefined,
      response,
    }
  }

  /** Creates a hook. If the service refuses it, the check is not covered. */
  readonly createOrSkip = (
    fields: Fields,
    options: CreationOptions,
    reason: string,
  ): Promise<CreatedHook> =>
    this.createHook(fields, options).catch((error: unknown) => {
      throw error instanceof Blocked ? new NotCovered(reason) : error
    })

  /** Finds the id in the response to a creation. If there is none, the check is not covered. */
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
    this.sendOrBlock(this.request.test(hook.id, event, hook.project))

  /**
   * Triggers the event of a flag in the project, with the endpoint or the program in the target
   * file, and returns what was sent or run. If `action` is undefined, the event can have any
   * action. If the endpoint or the program fails, the check is not covered.
   */
  readonly triggerEvent = async (flag: TriggeredFlag, action?: string): Promise<Cause> => {
    const { trigger } = this.target
    const program = trigger?.[flag]
    if (trigger?.url !== undefined && hasEndpointFor(this.target, flag))
      return this.callEndpoint(this.request.trigger(trigger.url, flag, action))
    if (program !== undefined) return this.runTrigger(flag, program, action)
    throw new NotCovered<HooksNeed>(`nothing in the target file causes ${flag}`, [
      `hooks.trigger.${flag}`,
    ])
  }

  // Reports show what the suite sends to the endpoint and which programs it runs. No check examines
  // them, because they are not part of the contract.

  private async callEndpoint(request: HttpRequest): Promise<HttpExchange> {
    const { ledger, priority, signal } = this.context
    const exchange = await ledger.track(this.options.client.send(request, priority, signal))
    ledger.show(exchange)
    if (!isSuccess(exchange))
      throw new NotCovered<HooksNeed>(
        `the endpoint of hooks.trigger.url returned ${exchange.summary} to ${exchange.record().request.body}`,
        ['hooks.trigger.url'],
      )
    return exchange
  }

  private async runTrigger(
    flag: TriggeredFlag,
    program: EventProgram,
    action: string | undefined,
  ): Promise<ProgramRun> {
    const needs = [`hooks.trigger.${flag}`] as const
    if (action !== undefined && !program.args?.some((arg) => arg.includes('{action}')))
      throw new NotCovered<HooksNeed>(
        `no argument in hooks.trigger.${flag}.args contains {action}`,
        needs,
      )
    const { ledger, signal } = this.context
    const run = await ledger.track(
      this.options.runProgram(withAction(program, action ?? anyActionOf(flag)), signal),
    )
    ledger.show(run)
    if (run.failure !== undefined)
      throw new NotCovered<HooksNeed>(
        `hooks.trigger.${flag}.command failed: ${run.failure}; command line: ${run.commandLine}`,
        needs,
      )
    return run
  }

  /** Expects that a delivery arrived after what the suite did. */
  readonly arrivesAfter = (...causes: readonly Cause[]): Expectation<Delivery | undefined> =>
    arrives(() => describeMissing(this.inTime, causes))

  /** Returns a value that is created only once in a run. */
  readonly shared = <T>(name: string, make: (world: HooksWorld) => Promise<T>): Promise<T> =>
    this.context.shared(name, (context) => make(new HooksWorld(context, this.options)))

  /**
   * Waits for the next delivery to a hook. Stores `expected` with it, and passes it to the checks
   * that examine every delivery. Returns undefined if none arrives in time.
   */
  readonly receiveDelivery = async (
    hook: CreatedHook,
    expected: Omit<ExpectedDelivery, 'hook'>,
    within = this.options.deliveryTimeoutMs,
    accepts: (delivery: Delivery) => boolean = () => true,
  ): Promise<Delivery | undefined> => {
    const delivery = await this.context.ledger.track(
      hook.mailbox.next(
        within,
        (request) =>
          request.isComplete &&
          (!isUnrelatedRequest(request) ||
            (expected.isConfidential === true && mayBeConfidentialIssue(request))) &&
          accepts(request),
      ),
    )
    if (delivery === undefined) await this.requireReached()
    else {
      setExpected(delivery, { ...expected, hook })
      this.context.ledger.record(delivery)
    }
    return delivery
  }

  /**
   * Like `receiveDelivery`, but the timeout begins again with each delivery to any hook of the run
   * that `isOfEvent` accepts. An event in the project concerns all hooks, and the target may
   * deliver to them in turn. Returns the first delivery that `accepts` selects; by default, any.
   * The timeout is `within` milliseconds, if this is shorter than usual.
   */
  readonly receiveAmongOthers = async (
    hook: CreatedHook,
    expected: Omit<ExpectedDelivery, 'hook'>,
    isOfEvent: (delivery: Delivery) => boolean,
    {
      accepts,
      within = this.deliveryTimeoutMs,
    }: {
      accepts?: ((delivery: Delivery) => boolean) | undefined
      within?: number | undefined
    } = {},
  ): Promise<Delivery | undefined> => {
    const receiver = await this.options.receiver(false)
    const timeoutMs = Math.min(within, this.deliveryTimeoutMs)
    let leftMs = timeoutMs
    for (let round = 1; ; round += 1) {
      const delivery = await this.receiveDelivery(hook, expected, leftMs, accepts)
      leftMs = (receiver.lastArrival(isOfEvent) ?? 0) + timeoutMs - this.clock.now()
      if (delivery !== undefined || leftMs <= 0 || round === maxRounds) return delivery
    }
  }

  /**
   * Ends the check as not covered if the target has never connected to a receiver of the suite.
   * Does nothing if the target file declares that the target can reach the receivers.
   */
  readonly requireReached = async (): Promise<void> => {
    const { receiver, isReceiverDeclared } = this.options
    if (isReceiverDeclared) return
    const plain = await receiver(false)
    if (plain.connections === 0)
      throw new NotCovered<HooksNeed>(
        `the target has not connected to ${plain.origin}: it may be in a container, or refuse private addresses; if it cannot reach that address, set suite.receiver.publicUrl; if it can, set suite.receiver.listen, to declare this`,
        ['suite.receiver.publicUrl'],
      )
  }

  /**
   * Whether the target reaches the receiver at its own address. Otherwise, a proxy in front of the
   * receiver might change URLs.
   */
  readonly isReachedDirectly = async (): Promise<boolean> => {
    const { origin, baseUrl } = await this.options.receiver(false)
    return origin === baseUrl
  }

  /** How many HTTP requests without TLS the port of the https URLs has received in this run. */
  readonly countUnencrypted = async (): Promise<number> =>
    (await this.options.receiver(true)).connectionErrors.unencrypted

  /** The hooks that this check created. */
  get createdHooks(): readonly TrackedHook[] {
    return this.created
  }

  /** Milliseconds within which a delivery must arrive. */
  get deliveryTimeoutMs(): number {
    return this.options.deliveryTimeoutMs
  }

  /** The time within which a delivery must arrive, for reports: `within 10 s (suite.patience)`. */
  get inTime(): string {
    return `within ${this.deliveryTimeoutMs / 1000} s (suite.patience)`
  }

  /** How long the suite watches for further deliveries, in milliseconds. */
  get watchMs(): number {
    return this.options.watchMs
  }

  private trackCreated(exchange: HttpExchange): void {
    const {
      operation,
      request: { body, url },
    } = exchange
    if (operation !== 'createHook') return
    const id = isSuccess(exchange) ? findHookId(exchange, urlOf(body)) : undefined
    const hook = id === undefined ? undefined : { id, creationUrl: url }
    if (hook !== undefined) this.created.push(hook)
    this.options.onCreation(exchange, hook)
  }
}

/** The program with an action in place of `{action}`. */
const withAction = ({ args = [], ...program }: EventProgram, action: string): EventProgram => ({
  ...program,
  args: args.map((arg) => arg.replaceAll('{action}', action)),
})

/** The first action of an event, for a program that needs one; empty for a push. */
const anyActionOf = (flag: TriggeredFlag): string =>
  Object.entries(actionsOf).find(([event]) => flags[event as EventName] === flag)?.[1][0] ?? ''

import { eventNames, events, type EventName } from '../../../generated/events/contract.ts'
import { exampleOf, examples } from '../../../generated/events/examples.ts'
import type { RequirementId } from '../../../generated/requirements/index.ts'
import { Blocked, expectation, NotApplicable, type Context, type Expectation } from '../../engine/index.ts'
import type { HttpExchange, HttpRequest } from '../../wire/index.ts'
import { HttpWorld, type HttpWorldOptions, type Reading } from '../http-world.ts'

/** What the checks need to know of a target: the keys of its `receiver` section. */
export interface ReceiverAccess {
  url: string
  secret?: string | undefined
  events: readonly EventName[]
  onMismatch: 'refuse' | 'drop'
}

/** The rows by which deliveries are acknowledged. */
export const acknowledging: { readonly [Name in EventName]: RequirementId } = {
  push: 'EVT-RECEIVER-01',
  tag_push: 'EVT-RECEIVER-02',
  issue: 'EVT-RECEIVER-03',
  merge_request: 'EVT-RECEIVER-04',
  pipeline: 'EVT-RECEIVER-05',
  job: 'EVT-RECEIVER-06',
  deployment: 'EVT-RECEIVER-07',
  wiki_page: 'EVT-RECEIVER-08',
  release: 'EVT-RECEIVER-09',
}

const isSuccess = ({ status = 0 }: HttpExchange) => status >= 200 && status < 300
const summary = (exchange: HttpExchange) => exchange.summary

const reading: Reading = {
  succeeded: expectation('is acknowledged', 'a status of the 200s', isSuccess, summary),
  refused: expectation('is not acknowledged', 'an answer that is none of the 200s', ({ status = 0 }) => status >= 300 && status !== 429, summary),
  isSuccess,
  rootOf: (operation) => acknowledging[operation.replace('deliver ', '') as EventName],
  limited: 'EVT-FAILURE-05',
}

/** Answered, and not in the way of a server that broke. */
export const withstands: Expectation<HttpExchange> = expectation('withstands it', 'an answer that is none of the 500s', ({ status = 0 }) => status > 0 && status < 500, summary)

export interface Sent {
  /** The X-Hook-Token in place of the right one; null for none. */
  token?: string | null
  /** The body in place of the golden payload. */
  body?: string
  /** How the names of the headers are written. */
  spelling?: (name: string) => string
  /** The value of X-Hook-Event, where it is not the event's own. */
  header?: string
}

/** What a check of a receiver acts with. */
export class ReceiverWorld extends HttpWorld<HttpExchange> {
  readonly access: ReceiverAccess

  constructor(context: Context<HttpExchange>, options: HttpWorldOptions & { access: ReceiverAccess }) {
    super(context, reading, options)
    this.access = options.access
  }

  /** A delivery, as a sender makes it. */
  readonly delivery = (event: EventName, { token, body = exampleOf(event)!.text, spelling = (name) => name, header = events[event].header }: Sent = {}): HttpRequest => {
    const right = this.access.secret
    const sent = token === undefined ? right : (token ?? undefined)
    const headers = { 'X-Hook-Event': header, ...(sent === undefined ? {} : { 'X-Hook-Token': sent }), 'User-Agent': 'Touchstone/1' }
    return {
      operation: `deliver ${event}`,
      method: 'POST',
      url: this.access.url,
      headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [spelling(name), value])),
      body: { kind: 'text', text: body, type: 'application/json' },
    }
  }

  /** The event that stands for all where any will do: the first that the receiver takes. */
  get event(): EventName {
    return eventNames.find((name) => this.access.events.includes(name)) ?? 'push'
  }

  /** All golden payloads of an event, by name. */
  readonly goldens = (event: EventName): Record<string, HttpRequest> =>
    Object.fromEntries(examples.filter((example) => example.event === event).map(({ name, text }) => [name, this.delivery(event, { body: text })]))

  /** Ends the check where the receiver is said to acknowledge what it drops: nothing from outside tells the two apart. */
  readonly refusing = (): void => {
    if (this.access.onMismatch === 'drop') throw new NotApplicable('by the target file it acknowledges deliveries with a wrong token, and drops them')
  }

  /**
   * That the receiver tells one delivery from another at all. A server that says 200 to whatever comes acknowledges nothing: where there is a secret, what it
   * does with a wrong one shows whether it reads.
   */
  readonly discerning = async (): Promise<void> => {
    if (this.access.secret === undefined || this.access.onMismatch === 'drop') return
    if (!(await this.context.ledger.track(this.context.holds('EVT-RECEIVER-11')))) throw new Blocked('EVT-RECEIVER-11', 'it acknowledges deliveries whatever their token is')
  }

  /** Sends what must be withstood, beside a delivery that is acknowledged: a receiver that takes nothing withstands nothing. */
  readonly withstand = async (requests: Readonly<Record<string, HttpRequest>>): Promise<void> => {
    await this.given(this.delivery(this.event))
    const answers = await Promise.all(Object.entries(requests).map(async ([label, request]) => ({ label, exchange: await this.send(request) })))
    for (const { label, exchange } of answers) this.expect(exchange, { ...withstands, name: `${label}: ${withstands.name}` })
    await this.discerning()
  }
}

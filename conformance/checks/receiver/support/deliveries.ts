import { eventNames, events, type EventName } from '../../../../generated/events/contract.ts'
import { exampleOf, examples } from '../../../../generated/events/examples.ts'
import type { HttpRequest } from '../../../wire/index.ts'
import type { ReceiverTarget } from '../target.ts'

interface DeliveryOptions {
  /** The body in place of the golden payload. */
  body?: string
  /** How the names of the headers are written. */
  spelling?: (name: string) => string
  /** The value of X-Hook-Event, where it is not the event's own. */
  header?: string
}

/** What the suite delivers to a receiver. */
export class Deliveries {
  private readonly target: ReceiverTarget
  private readonly makeUnique: (text: string) => string

  /** `renew` makes a happening of its own of a payload. */
  constructor(access: ReceiverTarget, renew: (text: string) => string) {
    this.target = access
    this.makeUnique = renew
  }

  /** The event that stands for all where any will do: the first that the receiver takes. */
  get defaultEvent(): EventName {
    return eventNames.find((name) => this.target.events.includes(name)) ?? 'push'
  }

  /** A delivery, as a sender makes it: each of a happening of its own. */
  readonly buildDelivery = (
    event: EventName,
    {
      body = this.makeUnique(exampleOf(event)!.text),
      spelling = (name) => name,
      header = events[event].header,
    }: DeliveryOptions = {},
  ): HttpRequest => {
    const { secret, url } = this.target
    const headers = {
      'X-Hook-Event': header,
      ...(secret === undefined ? {} : { 'X-Hook-Token': secret }),
      'User-Agent': 'Touchstone/1',
    }
    return {
      operation: `deliver ${event}`,
      method: 'POST',
      url,
      headers: Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [spelling(name), value]),
      ),
      body: { kind: 'text', text: body, type: 'application/json' },
    }
  }

  /** The same delivery with another token; null for none. */
  readonly withToken = (delivery: HttpRequest, token: string | null): HttpRequest => {
    const { 'X-Hook-Token': _, ...headers } = delivery.headers ?? {}
    return {
      ...delivery,
      headers: token === null ? headers : { ...headers, 'X-Hook-Token': token },
    }
  }

  /** All golden payloads of an event, by name. */
  readonly goldenDeliveries = (event: EventName): Record<string, HttpRequest> =>
    Object.fromEntries(
      examples
        .filter((example) => example.event === event)
        .map(({ name, text }) => [
          name,
          this.buildDelivery(event, { body: this.makeUnique(text) }),
        ]),
    )
}

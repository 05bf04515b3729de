import { eventNames, events, type EventName } from '../../../../generated/events/contract.ts'
import { exampleOf, examples } from '../../../../generated/events/examples.ts'
import type { HttpRequest } from '../../../wire/index.ts'
import type { ReceiverTarget } from '../target.ts'

interface DeliveryOptions {
  /** A body instead of the golden payload. */
  body?: string
  /** Changes the spelling of header names. */
  spelling?: (name: string) => string
  /** The value of X-Hook-Event; by default that of the event. */
  header?: string
}

/** Builds the deliveries to a receiver. */
export class Deliveries {
  private readonly target: ReceiverTarget
  private readonly makeUnique: (payload: string) => string

  /** `makeUnique` changes the ids of a payload, so that it describes a new event. */
  constructor(target: ReceiverTarget, renew: (payload: string) => string) {
    this.target = target
    this.makeUnique = renew
  }

  /** The event for checks that can use any: the first that the receiver accepts. */
  get defaultEvent(): EventName {
    return eventNames.find((name) => this.target.events.includes(name)) ?? 'push'
  }

  /** Builds a delivery as a sender does. Each one has a unique payload. */
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

  /** A delivery for each golden payload of an event, by name. */
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

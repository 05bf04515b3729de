import { eventNames, events, type EventName } from '../../../../generated/events/contract.ts'
import { exampleOf, examples } from '../../../../generated/events/examples.ts'
import type { HttpRequest } from '../../../wire/index.ts'
import type { ReceiverTarget } from '../target.ts'

interface DeliveryOptions {
  /** A body instead of the sample payload. */
  body?: string
  /** Changes the spelling of header names. */
  spelling?: (name: string) => string
  /** The value of X-Hook-Event; by default, the value for the event. Null omits the header. */
  header?: string | null
  /** The value of Content-Type; by default application/json. */
  type?: string
  /** Headers in addition to the usual ones, or in place of them. */
  headers?: Readonly<Record<string, string>>
  /** Whether the body is sent in chunks, without Content-Length. */
  isChunked?: boolean
}

/** Builds the deliveries to a receiver. */
export class Deliveries {
  private readonly target: ReceiverTarget
  private readonly makeUnique: (payload: string) => string

  /** `makeUnique` changes the ids of a payload, so that it describes a new event. */
  constructor(target: ReceiverTarget, makeUnique: (payload: string) => string) {
    this.target = target
    this.makeUnique = makeUnique
  }

  /** The event for checks that can use any event: the first that the receiver accepts. */
  get defaultEvent(): EventName {
    return eventNames.find((name) => this.target.events.includes(name)) ?? 'push'
  }

  /** Builds a delivery. By default, it contains a sample payload that was made unique. */
  readonly buildDelivery = (
    event: EventName,
    {
      body = this.makeUnique(exampleOf(event)!.text),
      spelling = (name) => name,
      header = events[event].header,
      type = 'application/json',
      headers: others = {},
      isChunked = false,
    }: DeliveryOptions = {},
  ): HttpRequest => {
    const { secret, url } = this.target
    const headers = {
      ...(header === null ? {} : { 'X-Hook-Event': header }),
      ...(secret === undefined ? {} : { 'X-Hook-Token': secret }),
      'User-Agent': 'Touchstone/1',
      ...others,
    }
    return {
      operation: `deliver ${event}`,
      method: 'POST',
      url,
      headers: Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [spelling(name), value]),
      ),
      body: { kind: 'text', text: body, type, ...(isChunked ? { isChunked } : {}) },
    }
  }

  /** The same delivery with this token. Null omits X-Hook-Token. */
  readonly withToken = (delivery: HttpRequest, token: string | null): HttpRequest => {
    const { 'X-Hook-Token': _, ...headers } = delivery.headers ?? {}
    return {
      ...delivery,
      headers: token === null ? headers : { ...headers, 'X-Hook-Token': token },
    }
  }

  /**
   * A delivery for each sample payload of an event, by name. For issues, also a delivery with two
   * assignees.
   */
  readonly sampleDeliveries = (event: EventName): Record<string, HttpRequest> =>
    Object.fromEntries(
      [
        ...examples
          .filter((example) => example.event === event)
          .map(({ name, text }) => [name, text] as const),
        ...(event === 'issue' ? [['two assignees', issueWithTwoAssignees()] as const] : []),
      ].map(([name, text]) => [name, this.buildDelivery(event, { body: this.makeUnique(text) })]),
    )
}

/** An issue with two assignees. */
export function issueWithTwoAssignees(): string {
  const payload = exampleOf('issue', 'update')!.payload
  const [first] = payload['assignees'] as Record<string, unknown>[]
  const second = { ...first, id: Number(first!['id']) + 1, name: 'Ines Ito', username: 'ines' }
  const attributes = payload['object_attributes'] as Record<string, unknown>
  return JSON.stringify({
    ...payload,
    assignees: [first, second],
    object_attributes: { ...attributes, assignee_ids: [first!['id'], second.id] },
  })
}

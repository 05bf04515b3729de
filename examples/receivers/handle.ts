import type { WebhookDelivery } from 'touchstone/events'

/** What a receiver does with deliveries. A real receiver puts them into a queue. */
export type Handle = (delivery: WebhookDelivery) => void

/** Describes a delivery. The name of its event determines the type of its payload. */
export function describe(delivery: WebhookDelivery): string {
  switch (delivery.event) {
    case 'push':
      return `${delivery.payload.user_name} pushed to ${delivery.payload.ref}`
    case 'issue':
    case 'merge_request':
      return `${delivery.payload.user.name}: ${delivery.payload.object_attributes.title}`
    case 'job':
      return `job ${delivery.payload.build_name}: ${delivery.payload.build_status}`
    default:
      return `${delivery.event} in another part of the project`
  }
}

// What a receiver of deliveries needs: types, validators, and functions for requests. It loads no
// other package and no part of the suite, so that it starts quickly.
export * from '../../generated/events/documented/index.ts'
export type { Violation } from '../../generated/contract.ts'
export { DeliveryError, type DeliveryProblem } from './delivery-error.ts'
export type { RequestHeaders } from './headers.ts'
export { parseDelivery, type WebhookDelivery, type ParseOptions } from './parse-delivery.ts'
export { verifyToken } from './verify-token.ts'

import type { GrpcExchange } from '../../../wire/index.ts'
import { decodeResponses } from './messages.ts'
import { findNames } from './names.ts'

/** Maps each stream to the names that the suite has generated in the same run. */
const issuedInRun = new WeakMap<GrpcExchange, ReadonlySet<string>>()

/**
 * Stores the names of the run for a stream, to recognize names of other streams in its responses.
 */
export function rememberIssued(exchange: GrpcExchange, issued: ReadonlySet<string>): void {
  issuedInRun.set(exchange, issued)
}

/** The names that the client sent on a stream, in any field. */
export function sentNames({ sent, metadata }: GrpcExchange): Set<string> {
  return new Set([
    ...sent.flatMap(({ frame, message = frame }) =>
      findNames(Buffer.from(message).toString('latin1')),
    ),
    ...metadata.flatMap(([, value]) => findNames(value)),
  ])
}

/** Returns the names in the responses of this stream that were sent only on other streams. */
export function findStrays(exchange: GrpcExchange): string[] {
  const issued = issuedInRun.get(exchange)
  if (issued === undefined || exchange.receivedCount === 0) return []
  const own = sentNames(exchange)
  return decodeResponses(exchange).flatMap(({ message }) =>
    findNames(message).filter((name) => issued.has(name) && !own.has(name)),
  )
}

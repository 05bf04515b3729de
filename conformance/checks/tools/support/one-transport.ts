import { type Expectation, ofValue } from '../../../engine/index.ts'
import type { McpExchange } from '../../../wire/index.ts'
import type { ToolsWorld } from './world.ts'

/**
 * Judges the values of each transport separately, with an exchange on that transport, so that a
 * failure names the transport. Uses the exchange of the first value that alone violates an
 * expectation, so that the report shows this exchange.
 */
export function expectOnEachTransport<Received>(
  { transports, record, expect }: Pick<ToolsWorld, 'transports' | 'record' | 'expect'>,
  received: readonly Received[],
  exchangeOf: (one: Received) => McpExchange,
  ...expectations: Expectation<readonly Received[]>[]
): void {
  for (const transport of transports) {
    const own = received.filter((one) => exchangeOf(one).transport === transport)
    if (own.length === 0) continue
    const shown = own.find((one) => expectations.some(({ test }) => !test([one]))) ?? own[0]!
    expect(
      record(exchangeOf(shown)),
      ...expectations.map((expectation) => ofValue(own, expectation)),
    )
  }
}

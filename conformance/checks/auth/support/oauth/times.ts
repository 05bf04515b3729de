import type { Expectation } from '../../../../engine/index.ts'
import type { HttpExchange } from '../../../../wire/index.ts'
import { members } from '../expectations.ts'

/** From the years 2001 to 2286, times in milliseconds are between these two numbers. */
const milliseconds = [1e12, 1e13] as const

/**
 * Whether a number can be a time in seconds since 1970. Numbers that would be a time of this era in
 * milliseconds cannot; in seconds, they would be in the year 33658 or later.
 */
export const isInSeconds = (time: number): boolean =>
  !(time >= milliseconds[0] && time < milliseconds[1])

/** Expects that a field, if it is a number, is a time in seconds. */
export const hasTimeInSeconds = (name: string): Expectation<HttpExchange> => ({
  name: `has ${name} in seconds`,
  expected: `${name} in seconds since 1970, not in milliseconds`,
  test: (exchange) => {
    const time = members(exchange)[name]
    return typeof time !== 'number' || isInSeconds(time)
  },
  received: (exchange) => `${name} ${JSON.stringify(members(exchange)[name])}`,
})

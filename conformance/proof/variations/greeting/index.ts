import type { Exclusion } from '../variation.ts'
import { contents } from './contents.ts'
import { form } from './form.ts'
import { streams } from './streams.ts'
import type { GreetingFactor } from './variation.ts'

/** All factors of the greeting service. */
export const factors: readonly GreetingFactor[] = [...contents, ...streams, ...form]

/** Pairs of values that are not combined. */
export const exclusions: readonly Exclusion[] = [
  {
    values: ['way to find out the name: reflection', 'reflection: none'],
    reason: 'neither the target file nor reflection would name the service',
  },
]

import type { Exclusion } from '../variation.ts'
import type { ImagesFactor } from './variation.ts'
import { batch } from './batch.ts'
import { completion } from './completion.ts'
import { delivery } from './delivery.ts'
import { envelope } from './envelope.ts'
import { errorsOfFailures } from './errors.ts'
import { form } from './http.ts'
import { lenient } from './lenient.ts'
import { listedDrafts, listing } from './listing.ts'
import { records } from './records.ts'
import { similar } from './similar.ts'
import { services } from './services.ts'
import { statuses } from './statuses.ts'
import { tickets } from './tickets.ts'
import { timestamps } from './timestamps.ts'
import { traffic } from './traffic.ts'
import { uploading } from './uploads.ts'
import { variants } from './variants.ts'

/**
 * All factors in which conforming image services can differ. If several change the same reply, a
 * later one receives the result of an earlier one.
 */
export const factors: readonly ImagesFactor[] = [
  ...uploading,
  ...listing,
  ...records,
  ...timestamps,
  ...tickets,
  ...variants,
  ...delivery,
  ...completion,
  ...batch,
  ...traffic,
  ...lenient,
  ...errorsOfFailures,
  ...envelope,
  ...services,
  ...similar,
  ...statuses,
  ...listedDrafts,
  ...form,
]

const reason = 'a record without options does not show the other value'

/** Pairs of values that are not tried together. */
export const exclusions: readonly Exclusion[] = [
  {
    values: [
      'place of a variant in a response: none, because the result contains only the id',
      'width and height in a variant: strings',
    ],
    reason: reason,
  },
  {
    values: [
      'place of a variant in a response: none, because the result contains only the id',
      'width and height in a variant: numbers, and a separate object with the maximum width and height',
    ],
    reason: reason,
  },
]

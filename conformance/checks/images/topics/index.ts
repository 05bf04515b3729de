import type { HttpExchange } from '../../../wire/index.ts'
import type { Check } from '../../../engine/index.ts'
import { authentication } from './authentication.ts'
import { batch } from './batch.ts'
import { batchListing } from './batch-listing.ts'
import { completion } from './completion.ts'
import { configuration } from './configuration.ts'
import { contract } from './contract.ts'
import { delivery } from './delivery.ts'
import { details } from './details.ts'
import { envelope } from './envelope.ts'
import { expiry } from './expiry.ts'
import { ingestion } from './ingestion.ts'
import { listing } from './listing.ts'
import { metadata } from './metadata.ts'
import { names } from './names.ts'
import { size } from './size.ts'
import { statuses } from './statuses.ts'
import { tickets } from './tickets.ts'
import { upload } from './upload.ts'
import { variants } from './variants.ts'
import { variantValues } from './variant-values.ts'
import { wholeList } from './whole-list.ts'
import type { ImagesWorld } from '../support/world.ts'

/** All checks of the image contract. The engine's plan puts them in the catalogue's order. */
export const checks: readonly Check<ImagesWorld, HttpExchange>[] = [
  ...envelope,
  ...delivery,
  ...contract,
  ...upload,
  ...names,
  ...ingestion,
  ...metadata,
  ...size,
  ...tickets,
  ...completion,
  ...expiry,
  ...listing,
  ...wholeList,
  ...details,
  ...variants,
  ...variantValues,
  ...configuration,
  ...batch,
  ...batchListing,
  ...authentication,
  ...statuses,
]

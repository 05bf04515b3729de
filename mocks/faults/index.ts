import type { Fault } from './fault.ts'
import { addresses } from './images/addresses.ts'
import { authentication } from './images/authentication.ts'
import { batch } from './images/batch.ts'
import { beside } from './images/beside.ts'
import { bounds } from './images/bounds.ts'
import { completion } from './images/completion.ts'
import { configuration } from './images/configuration.ts'
import { deletion } from './images/deletion.ts'
import { details } from './images/details.ts'
import { envelope } from './images/envelope.ts'
import { image } from './images/image.ts'
import { ingestion } from './images/ingestion.ts'
import { listing } from './images/listing.ts'
import { operations } from './images/operations.ts'
import { pageLimits } from './images/page-limits.ts'
import { service } from './images/service.ts'
import { states } from './images/states.ts'
import { statuses } from './images/statuses.ts'
import { tickets } from './images/tickets.ts'
import { upload } from './images/upload.ts'
import { variant } from './images/variant.ts'
import { variants } from './images/variants.ts'

export type { Fault } from './fault.ts'

/** Every written fault of the stateful servers. */
export const faults: readonly Fault[] = [
  ...operations, ...service, ...addresses, ...envelope, ...image, ...states, ...upload, ...ingestion, ...tickets, ...completion, ...bounds, ...beside,
  ...listing, ...pageLimits, ...details, ...deletion, ...variant, ...variants, ...configuration, ...batch, ...authentication, ...statuses,
]

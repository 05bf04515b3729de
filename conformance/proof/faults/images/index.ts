import type { ImagesFault } from './fault.ts'
import { accounts } from './accounts.ts'
import { addresses } from './addresses.ts'
import { authentication } from './authentication.ts'
import { batch } from './batch.ts'
import { batchFields } from './batch-fields.ts'
import { batchListing } from './batch-listing.ts'
import { alternativePaths } from './alternative-paths.ts'
import { bounds } from './bounds.ts'
import { combinations } from './combinations.ts'
import { completion } from './completion.ts'
import { configuration } from './configuration.ts'
import { delivery } from './delivery.ts'
import { deliveryAccess } from './delivery-access.ts'
import { deliveryHttp } from './delivery-http.ts'
import { deliverySizes } from './delivery-sizes.ts'
import { deletion } from './deletion.ts'
import { deliveryUrls } from './delivery-urls.ts'
import { details } from './details.ts'
import { requestKindFaults } from './request-kinds.ts'
import { envelope } from './envelope.ts'
import { image } from './image.ts'
import { ingestion } from './ingestion.ts'
import { ingestionUrls } from './ingestion-urls.ts'
import { later } from './later.ts'
import { listing } from './listing.ts'
import { operations } from './operations.ts'
import { pageLimits } from './page-limits.ts'
import { forms } from './forms.ts'
import { pngKinds } from './png-kinds.ts'
import { records } from './records.ts'
import { refusals } from './refusals.ts'
import { service } from './service.ts'
import { states } from './states.ts'
import { statuses } from './statuses.ts'
import { tickets } from './tickets.ts'
import { upload } from './upload.ts'
import { variant } from './variant.ts'
import { variantRecords } from './variant-records.ts'
import { variants } from './variants.ts'

export { mutants } from './mutants.ts'

/** Every handwritten fault of the image service. */
export const faults: readonly ImagesFault[] = [
  ...operations,
  ...service,
  ...addresses,
  ...envelope,
  ...image,
  ...delivery,
  ...deliveryUrls,
  ...deliveryAccess,
  ...deliveryHttp,
  ...deliverySizes,
  ...pngKinds,
  ...states,
  ...upload,
  ...ingestion,
  ...ingestionUrls,
  ...tickets,
  ...completion,
  ...bounds,
  ...alternativePaths,
  ...listing,
  ...pageLimits,
  ...details,
  ...deletion,
  ...variant,
  ...variants,
  ...configuration,
  ...batch,
  ...batchListing,
  ...batchFields,
  ...authentication,
  ...accounts,
  ...refusals,
  ...requestKindFaults,
  ...later,
  ...records,
  ...forms,
  ...variantRecords,
  ...statuses,
  ...combinations,
]

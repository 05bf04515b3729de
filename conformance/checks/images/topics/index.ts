import type { HttpExchange } from '../../../wire/index.ts'
import type { Check } from '../../../engine/index.ts'
import { accountsChecks } from './accounts.ts'
import { authenticationChecks } from './authentication.ts'
import { batchChecks } from './batch.ts'
import { batchListingChecks } from './batch-listing.ts'
import { batchUrlsChecks } from './batch-urls.ts'
import { brokenFormsChecks } from './broken-forms.ts'
import { completionChecks } from './completion.ts'
import { configurationChecks } from './configuration.ts'
import { contract } from './contract.ts'
import { deliveryChecks } from './delivery.ts'
import { deliveryHttpChecks } from './delivery-http.ts'
import { deliveryUrlsChecks } from './delivery-urls.ts'
import { detailsChecks } from './details.ts'
import { envelopeChecks } from './envelope.ts'
import { expiryChecks } from './expiry.ts'
import { idsInUseChecks } from './ids-in-use.ts'
import { ingestionChecks } from './ingestion.ts'
import { laterChecks } from './later.ts'
import { listingChecks } from './listing.ts'
import { metadataChecks } from './metadata.ts'
import { namesChecks } from './names.ts'
import { privacyChecks } from './privacy.ts'
import { removalChecks } from './removal.ts'
import { pngKindsChecks } from './png-kinds.ts'
import { renditionChecks } from './renditions.ts'
import { recordsChecks } from './records.ts'
import { singleWritesChecks } from './single-writes.ts'
import { sizeChecks } from './size.ts'
import { statusesChecks } from './statuses.ts'
import { ticketsChecks } from './tickets.ts'
import { unusualIdsChecks } from './unusual-ids.ts'
import { uploadChecks } from './upload.ts'
import { variantRecordsChecks } from './variant-records.ts'
import { variantsChecks } from './variants.ts'
import { variantValuesChecks } from './variant-values.ts'
import { versioningChecks } from './versioning.ts'
import { wholeListChecks } from './whole-list.ts'
import type { ImagesWorld } from '../support/world.ts'

/** All checks of the image contract. The engine's plan puts them in the catalogue's order. */
export const checks: readonly Check<ImagesWorld, HttpExchange>[] = [
  ...envelopeChecks,
  ...deliveryUrlsChecks,
  ...deliveryChecks,
  ...deliveryHttpChecks,
  ...privacyChecks,
  ...renditionChecks,
  ...singleWritesChecks,
  ...pngKindsChecks,
  ...removalChecks,
  ...contract,
  ...uploadChecks,
  ...namesChecks,
  ...idsInUseChecks,
  ...unusualIdsChecks,
  ...ingestionChecks,
  ...metadataChecks,
  ...sizeChecks,
  ...ticketsChecks,
  ...completionChecks,
  ...expiryChecks,
  ...laterChecks,
  ...listingChecks,
  ...wholeListChecks,
  ...detailsChecks,
  ...variantsChecks,
  ...variantValuesChecks,
  ...variantRecordsChecks,
  ...configurationChecks,
  ...accountsChecks,
  ...recordsChecks,
  ...batchChecks,
  ...batchUrlsChecks,
  ...batchListingChecks,
  ...authenticationChecks,
  ...statusesChecks,
  ...brokenFormsChecks,
  ...versioningChecks,
]

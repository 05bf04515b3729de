import type { RequirementId } from '../../../../generated/requirements/index.ts'
import type { ImagesOperation } from '../../../../mocks/stateful/images.ts'
import type { ImagesFault } from './fault.ts'
import { fails, fault } from './building.ts'

const rows: Record<ImagesOperation, readonly RequirementId[]> = {
  uploadImage: ['IMG-UPLOAD-01'],
  createDirectUpload: ['IMG-TICKET-01'],
  listImages: ['IMG-ADDRESS-01', 'IMG-LIST-01'],
  getImage: ['IMG-GET-01'],
  deleteImage: ['IMG-DELETE-01'],
  createVariant: ['IMG-VARIANTS-01'],
  listVariants: ['IMG-VARIANTS-02'],
  getVariant: ['IMG-VARIANTS-03'],
  updateVariant: ['IMG-VARIANTS-04'],
  deleteVariant: ['IMG-VARIANTS-06'],
  updateConfig: ['IMG-CONFIG-01'],
  batchUploadImage: ['IMG-BATCH-01'],
  batchListImages: ['IMG-BATCH-02'],
  batchDeleteImage: ['IMG-BATCH-03'],
  completeDirectUpload: ['IMG-COMPLETE-01'],
  deliverImage: ['IMG-SERVICE-01'],
}

const hyphenated = (operation: string) =>
  operation.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

/** Each operation, out of order: once it breaks down, once it seems not to be there at all. */
export const operations: readonly ImagesFault[] = (
  Object.entries(rows) as [ImagesOperation, readonly RequirementId[]][]
).flatMap(([operation, own]) => [
  fault(
    `${hyphenated(operation)}-breaks-down`,
    `${operation} answers with an internal error where it should succeed.`,
    own,
    fails(operation, 500),
  ),
  fault(
    `${hyphenated(operation)}-is-not-there`,
    `${operation} answers as if there were nothing at its path.`,
    operation === 'deliverImage' ? own : [...own, 'IMG-STATUS-05'],
    fails(operation, 404, 'There is nothing here'),
  ),
])

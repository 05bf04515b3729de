import type { RequirementId } from '../../../../generated/requirements/index.ts'
import type { ImagesOperation } from '../../../../mocks/stateful/images.ts'
import type { ImagesFault } from './fault.ts'
import { failWith, fault } from './building.ts'

const requirementsOf: Record<ImagesOperation, readonly RequirementId[]> = {
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

const hyphenate = (operation: string) =>
  operation.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

/**
 * Two faults for each operation. The operation fails with an internal error, or seems not to exist.
 */
export const operations: readonly ImagesFault[] = (
  Object.entries(requirementsOf) as [ImagesOperation, readonly RequirementId[]][]
).flatMap(([operation, requirements]) => [
  fault(
    `${hyphenate(operation)}-breaks-down`,
    `Returns 500 instead of a success for ${operation}.`,
    requirements,
    failWith(operation, 500),
  ),
  fault(
    `${hyphenate(operation)}-is-not-there`,
    `Returns 404 instead of a success for ${operation}.`,
    operation === 'deliverImage' ? requirements : [...requirements, 'IMG-STATUS-05'],
    failWith(operation, 404, 'There is nothing here'),
  ),
])

import { Blocked } from '../../../engine/index.ts'
import type { RequirementId } from '../../../../generated/requirements/index.ts'
import type { HttpExchange } from '../../../wire/index.ts'
import type { ImagesNeed } from '../target.ts'
import { isSuccess } from './expectations.ts'
import type { TestImage } from './test-images.ts'
import { pixelFile, type ApiHost, type UploadFields } from './requests.ts'
import type { ImagesWorld } from './world.ts'

/** What an upload contains. Without `file`, it contains an image that every service accepts. */
export interface UploadOptions {
  readonly file?: TestImage['file']
  readonly id?: string
  readonly metadata?: Readonly<Record<string, unknown>>
  readonly requireSignedURLs?: boolean
}

/**
 * The result of an upload: the response, which contains the image. The result of a direct upload is
 * the id of the ticket, because the upload host need not return the image.
 */
export type UploadResult = { readonly response: HttpExchange } | { readonly ticketId: string }

/** A way to upload an image, such as a file, a URL or a direct upload. */
export interface UploadMethod {
  readonly key: 'file' | 'file with id' | 'url' | 'ticket' | 'batch' | 'batch url'
  /** How the titles of checks name the source of the image. */
  readonly name: string
  readonly needs: readonly ImagesNeed[]
  /** The host whose list contains the image. */
  readonly host: ApiHost
  /**
   * Width and height of the test images of this method, in pixels. They are landscape or portrait,
   * and smaller than the maximum of `deliveryVariant`.
   */
  readonly size: readonly [width: number, height: number]
  /** Uploads an image. Blocks the check if that fails. */
  upload(world: ImagesWorld, options: UploadOptions): Promise<UploadResult>
}

/** The form fields of an upload with these options, without the file. */
const fieldsOf = ({ id, metadata, requireSignedURLs }: UploadOptions): UploadFields => ({
  ...(id === undefined ? {} : { id }),
  ...(metadata === undefined ? {} : { metadata: JSON.stringify(metadata) }),
  ...(requireSignedURLs === undefined ? {} : { requireSignedURLs: String(requireSignedURLs) }),
})

const file: UploadMethod = {
  key: 'file',
  host: 'account',
  name: 'a file',
  needs: [],
  size: [150, 97],
  async upload({ sendOrBlock, request }, options) {
    const fields = { file: options.file ?? pixelFile, ...fieldsOf(options) }
    const root =
      options.id !== undefined
        ? 'IMG-UPLOAD-05'
        : options.requireSignedURLs !== undefined
          ? 'IMG-UPLOAD-06'
          : undefined
    return { response: await sendOrBlock(request.upload(fields), root) }
  },
}

const fileWithId: UploadMethod = {
  ...file,
  key: 'file with id',
  name: 'a file with an id',
  size: [94, 146],
  upload: (world, options) => file.upload(world, { id: world.newName(), ...options }),
}

/** Uploads an image by URL to a host. `root` is the requirement that the host accepts URLs. */
const uploadByUrl =
  (host: ApiHost, root: RequirementId): UploadMethod['upload'] =>
  async (world, options) => {
    const { send, sendOrBlock, request, newName } = world
    const server = await world.imageServer()
    const uploadOf = (address: string) =>
      request.upload({ url: address, ...fieldsOf(options) }, host)
    if (options.file === undefined) {
      const ordinary = uploadOf(server.imageUrl(newName()))
      return { response: await sendOrBlock(ordinary, root) }
    }
    const address = server.serve(newName(), options.file.value)
    const response = await send({ ...uploadOf(address), meaning: 'success' })
    if (!isSuccess(response)) {
      await world.requireFetched(address)
      await world.blockIfOperationBroken(response)
      throw new Blocked(root, `${response.operation} returned ${response.summary}`)
    }
    return { response }
  }

const url: UploadMethod = {
  key: 'url',
  host: 'account',
  name: 'a URL',
  needs: ['suite.pictures'],
  size: [143, 89],
  upload: uploadByUrl('account', 'IMG-UPLOAD-02'),
}

const ticket: UploadMethod = {
  key: 'ticket',
  host: 'account',
  name: 'a direct upload',
  needs: [],
  size: [139, 101],
  async upload({ createTicket, sendOrBlock, request }, { file: part, ...options }) {
    const root =
      options.metadata !== undefined
        ? 'IMG-TICKET-06'
        : options.requireSignedURLs !== undefined
          ? 'IMG-TICKET-05'
          : undefined
    const { id, uploadURL } = await createTicket(options, root)
    await sendOrBlock(request.complete(uploadURL, part ?? pixelFile))
    return { ticketId: id }
  },
}

const batch: UploadMethod = {
  key: 'batch',
  host: 'batch',
  name: 'the batch host',
  needs: ['images.batch'],
  size: [101, 151],
  async upload({ sendOrBlock, request }, options) {
    const fields = { file: options.file ?? pixelFile, ...fieldsOf(options) }
    return { response: await sendOrBlock(request.upload(fields, 'batch'), 'IMG-BATCH-04') }
  },
}

const batchUrl: UploadMethod = {
  key: 'batch url',
  host: 'batch',
  name: 'a URL at the batch host',
  needs: ['images.batch', 'suite.pictures'],
  size: [103, 141],
  upload: uploadByUrl('batch', 'IMG-BATCH-04'),
}

/** Every way to upload an image. */
export const uploadMethods = {
  file,
  fileWithId,
  url,
  ticket,
  batch,
  batchUrl,
} as const satisfies Record<string, UploadMethod>

/** Options for a check that concerns images which were uploaded with this method. */
export const optionsOfMethod = ({
  name,
  needs,
}: UploadMethod): { door: string; needs: ImagesNeed[] } => ({
  door: name,
  needs: ['images.state', ...needs],
})

/**
 * The id of an uploaded image, as the server returned it. Blocks the check if the response contains
 * none.
 */
export const idOfUpload = ({ idOf }: ImagesWorld, result: UploadResult): string =>
  'ticketId' in result ? result.ticketId : idOf(result.response)

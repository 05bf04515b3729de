import type { RequirementId } from '../../../../generated/requirements/index.ts'
import type {
  ImagesCall,
  ImagesReason,
  ImagesOperation,
  ImagesReply,
} from '../../../../mocks/stateful/images.ts'
import type { ImagesFault } from './fault.ts'
import { fault, onRequest } from './building.ts'

type When = (call: ImagesCall, reply: ImagesReply) => boolean

/** The usual answer under another status. */
const under = (
  name: string,
  description: string,
  requirement: RequirementId,
  operations: readonly ImagesOperation[],
  from: number,
  to: number,
  when: When = () => true,
): ImagesFault =>
  fault(
    name,
    description,
    [requirement],
    onRequest(async (call, next, hit) => {
      const reply = await next()
      if (reply.status !== from || !when(call, reply)) return reply
      hit()
      return { ...reply, status: to }
    }, operations),
  )

const because =
  (...reasons: readonly ImagesReason[]): When =>
  (_call, { reason }) =>
    reasons.some((one) => one === reason)
const tokenless: readonly ImagesOperation[] = [
  'listImages',
  'getImage',
  'listVariants',
  'getVariant',
]

export const statuses: readonly ImagesFault[] = [
  under(
    'invalid-upload-is-refused-with-200',
    'Refuses an invalid upload in the envelope alone, under 200.',
    'IMG-STATUS-01',
    ['uploadImage'],
    400,
    200,
  ),
  under(
    'unknown-image-is-refused-with-200',
    'Says in the envelope alone that an image is not found, under 200.',
    'IMG-STATUS-01',
    ['getImage'],
    404,
    200,
  ),

  under(
    'unknown-image-is-a-bad-request',
    'Answers 400 where an image to be read does not exist.',
    'IMG-STATUS-02',
    ['getImage'],
    404,
    400,
  ),
  under(
    'unknown-variant-is-a-bad-request',
    'Answers 400 where a variant to be deleted does not exist.',
    'IMG-STATUS-02',
    ['deleteVariant'],
    404,
    400,
  ),
  under(
    'large-file-is-a-bad-request',
    'Answers 400 where a file is too large.',
    'IMG-STATUS-02',
    ['uploadImage'],
    413,
    400,
  ),
  under(
    'missing-token-is-a-bad-request',
    'Answers 400 where a request to list has no token.',
    'IMG-STATUS-02',
    ['listImages'],
    401,
    400,
    ({ headers }) => headers['authorization'] === undefined,
  ),

  under(
    'lacking-permission-is-unauthorized',
    'Answers 401 to a token without the permission.',
    'IMG-STATUS-03',
    tokenless,
    403,
    401,
    because('permission-missing'),
  ),
  under(
    'unknown-image-is-unauthorized',
    'Answers 401 where an image to be read does not exist.',
    'IMG-STATUS-03',
    ['getImage'],
    404,
    401,
  ),

  under(
    'missing-token-is-forbidden',
    'Answers 403 where a token is missing or unknown.',
    'IMG-STATUS-04',
    tokenless,
    401,
    403,
  ),
  under(
    'unknown-image-is-forbidden',
    'Answers 403 where an image to be deleted does not exist.',
    'IMG-STATUS-04',
    ['deleteImage'],
    404,
    403,
  ),

  under(
    'invalid-variant-is-not-found',
    'Answers 404 where a variant to be created is not valid.',
    'IMG-STATUS-05',
    ['createVariant'],
    400,
    404,
  ),
  under(
    'unknown-token-is-not-found',
    'Answers 404 to whoever has no valid token.',
    'IMG-STATUS-05',
    tokenless,
    401,
    404,
  ),
  under(
    'lacking-permission-is-not-found',
    'Answers 404 to a token without the permission.',
    'IMG-STATUS-05',
    tokenless,
    403,
    404,
  ),

  under(
    'long-metadata-is-a-large-file',
    'Answers 413 where the metadata of an upload is too long.',
    'IMG-STATUS-06',
    ['uploadImage'],
    400,
    413,
    because('metadata-too-large'),
  ),
  under(
    'two-pictures-are-a-large-file',
    'Answers 413 where an upload names a file and a URL.',
    'IMG-STATUS-06',
    ['uploadImage'],
    400,
    413,
    because('file-and-url'),
  ),

  under(
    'malformed-json-crashes',
    'Answers 500 where a body is not JSON.',
    'IMG-STATUS-08',
    ['createVariant', 'updateVariant', 'createDirectUpload'],
    400,
    500,
    because('body-not-json'),
  ),
  under(
    'unknown-image-crashes-the-deletion',
    'Answers 500 where an image to be deleted does not exist.',
    'IMG-STATUS-08',
    ['deleteImage'],
    404,
    500,
  ),

  under(
    'unknown-fit-is-a-failed-transformation',
    'Answers 502 where a variant has an unknown fit.',
    'IMG-STATUS-09',
    ['createVariant', 'updateVariant'],
    400,
    502,
    because('option-fit'),
  ),
  under(
    'upload-of-nothing-is-a-failed-transformation',
    'Answers 502 where an upload brings neither a file nor a URL.',
    'IMG-STATUS-09',
    ['uploadImage'],
    400,
    502,
    because('file-and-url-missing'),
  ),

  under(
    'invalid-upload-is-unprocessable',
    'Answers 422 where an upload is not valid.',
    'IMG-STATUS-10',
    ['uploadImage'],
    400,
    422,
  ),
  under(
    'two-pictures-conflict',
    'Answers 409 where an upload names a file and a URL.',
    'IMG-STATUS-10',
    ['uploadImage'],
    400,
    409,
    because('file-and-url'),
  ),
  under(
    'unknown-variant-allows-no-change',
    'Answers 405 where a variant to be changed does not exist.',
    'IMG-STATUS-10',
    ['updateVariant'],
    404,
    405,
  ),
  under(
    'created-variant-is-answered-with-201',
    'Answers 201 where a variant was created.',
    'IMG-STATUS-10',
    ['createVariant'],
    200,
    201,
  ),
]

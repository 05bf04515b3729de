import type { RequirementId } from '../../../../generated/requirements/index.ts'
import {
  failure,
  type ImagesCall,
  type ImagesReason,
  type ImagesOperation,
  type ImagesReply,
} from '../../../../mocks/stateful/images.ts'
import type { ImagesFault } from './fault.ts'
import { fault, onReply, onRequest, onSuccess } from './building.ts'

type When = (call: ImagesCall, reply: ImagesReply) => boolean

/** Replaces the status of replies. */
const changeStatus = (
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

const hasReason =
  (...reasons: readonly ImagesReason[]): When =>
  (_call, { reason }) =>
    reasons.some((one) => one === reason)
const readOperations: readonly ImagesOperation[] = [
  'listImages',
  'getImage',
  'listVariants',
  'getVariant',
]

export const statuses: readonly ImagesFault[] = [
  ...(
    [
      ['upload-without-a-boundary', 'uploadImage', 'multipart-malformed', 'a malformed form'],
      ['upload-of-json', 'uploadImage', 'body-not-multipart', 'a body that is not a form'],
      [
        'direct-upload-of-json',
        'completeDirectUpload',
        'body-not-multipart',
        'a body that is not a form',
      ],
    ] as const
  ).map(([name, operation, reason, what]) =>
    changeStatus(
      `${name}-breaks-down`,
      `Returns 500 for ${what} in ${operation}.`,
      'IMG-STATUS-08',
      [operation],
      400,
      500,
      hasReason(reason),
    ),
  ),
  changeStatus(
    'invalid-upload-is-refused-with-200',
    'Returns 200 with success: false for an invalid upload.',
    'IMG-STATUS-01',
    ['uploadImage'],
    400,
    200,
  ),
  changeStatus(
    'unknown-image-is-refused-with-200',
    'Returns 200 with success: false for an unknown image.',
    'IMG-STATUS-01',
    ['getImage'],
    404,
    200,
  ),

  changeStatus(
    'unknown-image-is-a-bad-request',
    'Returns 400 when an unknown image is read.',
    'IMG-STATUS-02',
    ['getImage'],
    404,
    400,
  ),
  changeStatus(
    'unknown-variant-is-a-bad-request',
    'Returns 400 when an unknown variant is deleted.',
    'IMG-STATUS-02',
    ['deleteVariant'],
    404,
    400,
  ),
  changeStatus(
    'large-file-is-a-bad-request',
    'Returns 400 for a file that is too large.',
    'IMG-STATUS-02',
    ['uploadImage'],
    413,
    400,
  ),
  changeStatus(
    'missing-token-is-a-bad-request',
    'Returns 400 for a list request without a token.',
    'IMG-STATUS-02',
    ['listImages'],
    401,
    400,
    ({ headers }) => headers['authorization'] === undefined,
  ),

  changeStatus(
    'lacking-permission-is-unauthorized',
    'Returns 401 if something is read or listed with a token without the permission.',
    'IMG-STATUS-03',
    readOperations,
    403,
    401,
    hasReason('permission-missing'),
  ),
  changeStatus(
    'unknown-image-is-unauthorized',
    'Returns 401 when an unknown image is read.',
    'IMG-STATUS-03',
    ['getImage'],
    404,
    401,
  ),

  changeStatus(
    'missing-token-is-forbidden',
    'Returns 403 if something is read or listed with a missing or unknown token.',
    'IMG-STATUS-04',
    readOperations,
    401,
    403,
  ),
  changeStatus(
    'unknown-image-is-forbidden',
    'Returns 403 when an unknown image is deleted.',
    'IMG-STATUS-04',
    ['deleteImage'],
    404,
    403,
  ),

  changeStatus(
    'invalid-variant-is-not-found',
    'Returns 404 for an invalid request to create a variant.',
    'IMG-STATUS-05',
    ['createVariant'],
    400,
    404,
  ),
  changeStatus(
    'unknown-token-is-not-found',
    'Returns 404 if something is read or listed with a missing or unknown token.',
    'IMG-STATUS-05',
    readOperations,
    401,
    404,
  ),
  changeStatus(
    'lacking-permission-is-not-found',
    'Returns 404 if something is read or listed with a token without the permission.',
    'IMG-STATUS-05',
    readOperations,
    403,
    404,
  ),

  changeStatus(
    'long-metadata-is-a-large-file',
    'Returns 413 if the metadata of an upload is too long.',
    'IMG-STATUS-06',
    ['uploadImage'],
    400,
    413,
    hasReason('metadata-too-large'),
  ),
  changeStatus(
    'file-and-url-return-413',
    'Returns 413 for an upload with a file and a URL.',
    'IMG-STATUS-06',
    ['uploadImage'],
    400,
    413,
    hasReason('file-and-url'),
  ),

  changeStatus(
    'malformed-json-crashes',
    'Returns 500 for a body that is not JSON.',
    'IMG-STATUS-08',
    ['createVariant', 'updateVariant', 'createDirectUpload'],
    400,
    500,
    hasReason('body-not-json'),
  ),
  changeStatus(
    'unknown-image-crashes-the-deletion',
    'Returns 500 when an unknown image is deleted.',
    'IMG-STATUS-08',
    ['deleteImage'],
    404,
    500,
  ),

  changeStatus(
    'unknown-fit-is-a-failed-transformation',
    'Returns 502 for a variant with an unknown fit.',
    'IMG-STATUS-09',
    ['createVariant', 'updateVariant'],
    400,
    502,
    hasReason('option-fit'),
  ),
  changeStatus(
    'upload-of-nothing-is-a-failed-transformation',
    'Returns 502 for an upload with neither a file nor a URL.',
    'IMG-STATUS-09',
    ['uploadImage'],
    400,
    502,
    hasReason('file-and-url-missing'),
  ),

  changeStatus(
    'invalid-upload-is-unprocessable',
    'Returns 422 for an invalid upload.',
    'IMG-STATUS-10',
    ['uploadImage'],
    400,
    422,
  ),
  changeStatus(
    'file-and-url-return-409',
    'Returns 409 for an upload with a file and a URL.',
    'IMG-STATUS-10',
    ['uploadImage'],
    400,
    409,
    hasReason('file-and-url'),
  ),
  changeStatus(
    'unknown-variant-allows-no-change',
    'Returns 405 when an unknown variant is changed.',
    'IMG-STATUS-10',
    ['updateVariant'],
    404,
    405,
  ),
  changeStatus(
    'created-variant-is-answered-with-201',
    'Returns 201 when a variant is created.',
    'IMG-STATUS-10',
    ['createVariant'],
    200,
    201,
  ),

  ...(
    [
      'listVariants',
      'deleteImage',
      'deleteVariant',
      'listImages',
      'batchUploadImage',
      'updateVariant',
    ] as const
  ).map((operation) =>
    fault(
      `every-third-${operation.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}-fails`,
      `Returns 500 in place of every third success of ${operation}.`,
      ['IMG-STATUS-15'],
      (hit) => {
        let count = 0
        return onSuccess((_reply, { server }) => {
          count += 1
          if (count % 3 !== 0) return undefined
          hit()
          return failure(server.choices, 500, 'Something went wrong')
        }, operation)(hit)
      },
    ),
  ),
  ...(
    [
      [400, 'IMG-STATUS-02'],
      [401, 'IMG-STATUS-03'],
      [403, 'IMG-STATUS-04'],
      [404, 'IMG-STATUS-05'],
      [413, 'IMG-STATUS-06'],
      [500, 'IMG-STATUS-08'],
      [502, 'IMG-STATUS-09'],
      [409, 'IMG-STATUS-10'],
    ] as const
  ).map(([status, requirement]) =>
    fault(
      `every-refusal-has-status-${status}`,
      `Returns ${status} for every refused request.`,
      [requirement],
      onReply((reply) =>
        reply.status < 400 || reply.status === status ? undefined : { ...reply, status },
      ),
    ),
  ),
  fault(
    'every-second-success-fails',
    'Returns 500 in place of every second success, and of every deletion on the batch host.',
    ['IMG-STATUS-15'],
    (hit) => {
      const counts = new Map<string, number>()
      return onSuccess((_reply, { server, operation }) => {
        const count = (counts.get(operation) ?? 0) + 1
        counts.set(operation, count)
        // Every deletion on the batch host fails, because few are sent: the uploads that precede
        // them fail as well.
        if (count % 2 !== 0 && operation !== 'batchDeleteImage') return undefined
        hit()
        return failure(server.choices, 500, 'Something went wrong')
      })(hit)
    },
  ),
  fault(
    'no-challenge-with-401',
    'Returns 401 without the header WWW-Authenticate.',
    ['IMG-AUTH-12'],
    onReply((reply) => (reply.status === 401 ? { ...reply, headers: {} } : undefined)),
  ),
]

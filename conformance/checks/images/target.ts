import { isOnLoopback } from '../../target-file/needs.ts'
import {
  bytes,
  duration,
  group,
  root,
  secret,
  section,
  text,
  toggle,
  url,
  type PathOf,
  type SectionOf,
} from '../../target-file/section.ts'
import type { SuitePath } from '../../target-file/suite.ts'

/** The section of the target file for an image hosting API. */
export const imagesSection = section(
  'images',
  {
    url: root({
      description: 'base URL of the API, including its version segment, such as /client/v4',
      example: 'http://127.0.0.1:4010/client/v4',
      required: true,
    }),
    account: text({
      description: 'ID of the account',
      example: 'acc-1',
      required: true,
    }),
    token: secret({
      description: 'token that may edit images',
      example: '${IMAGES_TOKEN}',
      variable: 'IMAGES_TOKEN',
      required: true,
    }),
    limitedToken: secret({
      description: 'valid token without the permission to edit images',
      example: '${IMAGES_LIMITED_TOKEN}',
      variable: 'IMAGES_LIMITED_TOKEN',
    }),
    other: group({
      account: text({
        description: 'ID of a second account',
        example: 'acc-2',
        required: true,
      }),
      token: secret({
        description: 'token that may edit the images of the second account, and of no other',
        example: '${IMAGES_OTHER_TOKEN}',
        variable: 'IMAGES_OTHER_TOKEN',
        required: true,
      }),
    }),
    batch: group({
      url: root({
        description: 'base URL of the batch host, the separate host for batch uploads',
        example: 'http://127.0.0.1:4011',
        required: true,
      }),
      token: secret({
        description: 'token for the batch host',
        example: '${IMAGES_BATCH_TOKEN}',
        variable: 'IMAGES_BATCH_TOKEN',
        required: true,
      }),
    }),
    upload: root({
      description: 'base URL of the one-time upload URLs, to which clients upload directly',
      example: 'http://127.0.0.1:4012',
    }),
    delivery: root({
      description: 'base URL at which the service delivers stored images',
      example: 'http://127.0.0.1:4013',
    }),
    maxFileBytes: bytes({
      description: 'size of the largest file that the service accepts, in bytes',
      example: '10485760',
    }),
    bulk: toggle({
      description:
        'whether the suite may upload 101 images to the API at images.url, and 101 to the batch host',
      example: 'true',
    }),
    flexibleVariants: toggle({
      description:
        'whether flexible variants are currently enabled in the account; flexible variants are delivery URLs that contain options, such as a width, in place of the name of a variant; the suite changes this setting and restores it',
      example: 'false',
      setting: true,
    }),
    state: toggle({
      description: 'whether the service stores what it receives; false for a stateless mock',
      example: 'true',
      default: true,
    }),
    clock: url({
      description:
        'URL of a test endpoint that your service provides to set its clock: POST {"offsetSeconds": N} sets it N seconds ahead of real time, and N = 0 resets it',
      example: 'http://127.0.0.1:4010/_touchstone/clock',
    }),
    fetchTimeout: duration({
      description:
        'how long the service waits when it fetches an image from a URL; to cause this timeout, the suite serves an image that never arrives completely',
      example: '5s',
    }),
  },
  {
    identifyingKeys: ['url'],
    label: ({ url, account }) => `the image API at ${url}, account ${account}`,
    // A target on the loopback interface can reach the suite's image server.
    ignores: ({ url }, path) => path === 'suite.pictures' && isOnLoopback(url),
  },
)

/** An implementation of the image hosting API, and what the suite may do there. */
export type ImagesTarget = SectionOf<typeof imagesSection>

/** Keys of the target file that checks of images can need. */
export type ImagesNeed = PathOf<typeof imagesSection> | SuitePath

import { onLoopback } from '../../target-file/needs.ts'
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

/** What a target file tells of an image hosting API. */
export const imagesSection = section(
  'images',
  {
    url: root({
      says: 'root of the API, with its version segment',
      example: 'http://127.0.0.1:4010/client/v4',
      required: true,
    }),
    account: text({
      says: "the account's id",
      example: 'acc-1',
      required: true,
    }),
    token: secret({
      says: 'a token that may edit images',
      example: '${IMAGES_TOKEN}',
      variable: 'IMAGES_TOKEN',
      required: true,
    }),
    limitedToken: secret({
      says: 'a valid token that may not edit images',
      example: '${IMAGES_LIMITED_TOKEN}',
      variable: 'IMAGES_LIMITED_TOKEN',
    }),
    batch: group({
      url: root({
        says: 'root of the batch host',
        example: 'http://127.0.0.1:4011',
        required: true,
      }),
      token: secret({
        says: "the batch host's own token",
        example: '${IMAGES_BATCH_TOKEN}',
        variable: 'IMAGES_BATCH_TOKEN',
        required: true,
      }),
    }),
    delivery: root({
      says: 'root of the delivery URLs',
      example: 'http://127.0.0.1:4013',
    }),
    maxFileBytes: bytes({
      says: 'the largest file that the service takes, in bytes',
      example: '10485760',
    }),
    bulk: toggle({
      says: 'true where the suite may make 101 images at each host',
      example: 'true',
    }),
    flexibleVariants: toggle({
      says: "the account's present setting, which the suite changes and puts back",
      example: 'false',
      setting: true,
    }),
    state: toggle({
      says: 'false for a mock that remembers nothing',
      example: 'true',
      default: true,
    }),
    clock: url({
      says: 'a URL that sets the clock of the target N seconds ahead of real time when {"offsetSeconds": N} is posted to it; 0 puts it back',
      example: 'http://127.0.0.1:4010/_touchstone/clock',
    }),
    fetchTimeout: duration({
      says: 'how long the service waits for the rest of a picture that stalls while it fetches it; the suite waits for 2s more',
      example: '5s',
    }),
  },
  {
    places: ['url'],
    label: ({ url, account }) => `images at ${url}, account ${account}`,
    // It can fetch the pictures of the suite where they are.
    spares: ({ url }, path) => path === 'suite.pictures' && onLoopback(url),
  },
)

/** An implementation of the image hosting API, and what it lets the suite do. */
export type ImagesTarget = SectionOf<typeof imagesSection>

/** What its checks can need of a target file. */
export type ImagesNeed = PathOf<typeof imagesSection> | SuitePath

import {
  address,
  count,
  duration,
  failures,
  group,
  isGroup,
  reasons,
  root,
  section,
  timeout,
  type PathOf,
  type SectionOf,
} from './section.ts'

/** Settings of the suite itself. Without this section in a target file, the defaults apply. */
export const suiteSection = section(
  'suite',
  {
    receiver: group(
      {
        listen: address({
          description: 'address at which the suite receives deliveries',
          example: '127.0.0.1:0',
          fallback: '127.0.0.1:0',
        }),
        publicUrl: root({
          description:
            'base URL at which senders reach the receiver of the suite, if it is not the listen address',
          example: 'https://receiver.example.com',
        }),
        tlsListen: address({
          description:
            'address at which the suite receives deliveries over TLS, with a self-signed certificate',
          example: '127.0.0.1:0',
          fallback: '127.0.0.1:0',
        }),
        // The target must see the suite's own self-signed certificate, so no proxy may terminate
        // TLS. Therefore this receiver has a separate address.
        tlsUrl: root({
          description:
            'base URL at which senders reach the TLS receiver of the suite, if it is not the listen address; a proxy in between must not terminate TLS',
          example: 'https://receiver.example.com:8443',
        }),
      },
      { presenceKey: 'publicUrl', keysToPropose: ['publicUrl'] },
    ),
    pictures: group(
      {
        listen: address({
          description: 'address at which the suite serves images for the service to fetch',
          example: '127.0.0.1:0',
          fallback: '127.0.0.1:0',
        }),
        publicUrl: root({
          description:
            'base URL at which the service reaches the images of the suite, if it is not the listen address',
          example: 'https://pictures.example.com',
        }),
      },
      { keysToPropose: ['publicUrl'] },
    ),
    identity: group(
      {
        listen: address({
          description:
            'address of the fake identity provider that the suite runs for the pattern oauth-proxy',
          example: '127.0.0.1:8097',
          fallback: '127.0.0.1:0',
        }),
        publicUrl: root({
          description:
            'base URL at which the tool server and its users reach the fake identity provider, if it is not the listen address',
          example: 'https://identity.example.com',
        }),
      },
      { keysToPropose: ['publicUrl'] },
    ),
    expected: failures({
      description:
        'file that lists known failures (touchstone test --write-expected writes it) or, in the target file, the list itself: entries with id, reason and optionally until; a listed failure does not change the exit status',
      example: 'expected.yaml',
    }),
    absent: reasons({
      description:
        'what the server does not have, with the reason: keys of this file or requirements; checks that are not covered because of it are not applicable, so that --strict can succeed',
      example: '{ IMG-BATCH: we have no batch API }',
    }),
    patience: duration({
      description: 'how long to wait for a delivery',
      example: '10s',
      default: 10_000,
    }),
    watch: duration({
      description: 'how long to wait for further deliveries, such as retries of a failed delivery',
      example: '3s',
      default: 3000,
    }),
    settle: duration({
      description:
        'how long reads of images may return old data after a write; for this time, the suite repeats reads that return old data',
      example: '5s',
      default: 2000,
    }),
    pace: duration({
      description: 'minimum time between the starts of two requests',
      example: '100ms',
      default: 0,
    }),
    rateLimitWait: duration({
      description:
        'maximum total time that the run waits because of responses with status 429. It waits at least as long as Retry-After says. Without Retry-After, it stops repeating a request after half of this time',
      example: '10m',
      default: 120_000,
    }),
    concurrency: count({
      description:
        'maximum number of concurrent requests. Event streams that stay open, requests that end a session, and requests that a check sends during its own call do not count; a check of streams counts as one request; a check of concurrent requests sends two if the maximum is 1',
      example: '8',
      default: 8,
    }),
    seed: count({
      description:
        'seed of the random values of the suite; the same seed gives the same values; default: a new seed for each run',
      example: '4711',
    }),
    timeout: timeout({
      description: 'timeout of one exchange (a request with its response)',
      example: '10s',
      default: 10_000,
    }),
  },
  { identifyingKeys: [], label: () => 'the suite' },
)

/** Settings of the suite itself. Times are in milliseconds. */
export type SuiteSettings = SectionOf<typeof suiteSection>

/** The settings of a target file without a section for the suite. */
export const suiteDefaults = Object.fromEntries(
  Object.entries(suiteSection.members).flatMap(([name, member]) =>
    isGroup(member) || member.default === undefined ? [] : [[name, member.default]],
  ),
) as SuiteSettings

/** Every path of this section that a check can need. */
export type SuitePath = PathOf<typeof suiteSection>

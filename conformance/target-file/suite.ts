import {
  address,
  count,
  duration,
  group,
  root,
  section,
  type PathOf,
  type SectionOf,
} from './section.ts'

/** Settings of the suite itself. This section always exists. */
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
          description: 'base URL at which a sender reaches the receiver, if it differs',
          example: 'https://receiver.example.com',
        }),
        tlsListen: address({
          description:
            'address at which the suite receives deliveries over TLS, with a self-signed certificate',
          example: '127.0.0.1:0',
          fallback: '127.0.0.1:0',
        }),
        // The certificate is self-signed, so no proxy may end the TLS connection: this receiver has
        // its own address.
        tlsUrl: root({
          description:
            'base URL at which a sender reaches the TLS receiver, if it differs; no proxy may terminate TLS',
          example: 'https://receiver.example.com:8443',
        }),
      },
      { givenBy: 'publicUrl' },
    ),
    pictures: group({
      listen: address({
        description: 'address at which the suite serves images for the target to fetch',
        example: '127.0.0.1:0',
        fallback: '127.0.0.1:0',
      }),
      publicUrl: root({
        description: 'base URL at which the target reaches those images, if it differs',
        example: 'https://pictures.example.com',
      }),
    }),
    identity: group({
      listen: address({
        description: 'address of the fake identity provider that the suite runs for an oauth-proxy',
        example: '127.0.0.1:8097',
        fallback: '127.0.0.1:0',
      }),
      publicUrl: root({
        description: 'base URL at which the tool server and its users reach it, if it differs',
        example: 'https://identity.example.com',
      }),
    }),
    patience: duration({
      description: 'timeout for the arrival of a delivery',
      example: '10s',
      default: 10_000,
    }),
    watch: duration({
      description: 'how long a sender is watched after a delivery failed',
      example: '3s',
      default: 3000,
    }),
    settle: duration({
      description: 'how long reads may return old data after a write',
      example: '2s',
      default: 0,
    }),
    pace: duration({
      description: 'minimum pause between the starts of two requests',
      example: '100ms',
      default: 0,
    }),
    concurrency: count({
      description: 'maximum number of simultaneous requests',
      example: '8',
      default: 8,
    }),
    timeout: duration({
      description: 'timeout of one exchange',
      example: '10s',
      default: 10_000,
    }),
  },
  { identifyingKeys: [], label: () => 'the suite' },
)

/** Settings of the suite itself. Times are in milliseconds. */
export type SuiteSettings = SectionOf<typeof suiteSection>

/** What checks of every subject can need of the suite. */
export type SuitePath = PathOf<typeof suiteSection>

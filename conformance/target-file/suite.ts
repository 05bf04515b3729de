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
          says: 'where the suite receives deliveries',
          example: '127.0.0.1:0',
          fallback: '127.0.0.1:0',
        }),
        publicUrl: root({
          says: 'how a sender reaches it, where that is another address',
          example: 'https://receiver.example.com',
        }),
        tlsListen: address({
          says: 'where the suite receives deliveries over TLS, under a certificate that it signs itself',
          example: '127.0.0.1:0',
          fallback: '127.0.0.1:0',
        }),
        // The certificate is self-signed, so no proxy may end the TLS connection: this receiver has
        // its own address.
        tlsUrl: root({
          says: 'how a sender reaches that one, where it is another address; nothing in between may end the TLS connection',
          example: 'https://receiver.example.com:8443',
        }),
      },
      { givenBy: 'publicUrl' },
    ),
    pictures: group({
      listen: address({
        says: 'where the suite serves the pictures that the target fetches',
        example: '127.0.0.1:0',
        fallback: '127.0.0.1:0',
      }),
      publicUrl: root({
        says: 'how the target reaches those pictures, where that is another address',
        example: 'https://pictures.example.com',
      }),
    }),
    identity: group({
      listen: address({
        says: 'where the suite plays the identity provider behind an oauth-proxy',
        example: '127.0.0.1:8097',
        fallback: '127.0.0.1:0',
      }),
      publicUrl: root({
        says: 'how the tool server and its users reach it, where that is another address',
        example: 'https://identity.example.com',
      }),
    }),
    patience: duration({
      says: 'how long a delivery may take to arrive',
      example: '10s',
      default: 10_000,
    }),
    watch: duration({
      says: 'how long a sender is watched after a delivery failed',
      example: '3s',
      default: 3000,
    }),
    settle: duration({
      says: 'how long a read may lag behind a write',
      example: '2s',
      default: 0,
    }),
    pace: duration({
      says: 'the pause between the starts of two requests',
      example: '100ms',
      default: 0,
    }),
    concurrency: count({
      says: 'requests under way at once',
      example: '8',
      default: 8,
    }),
    timeout: duration({
      says: 'the longest that one exchange may take',
      example: '10s',
      default: 10_000,
    }),
  },
  { places: [], label: () => 'the suite' },
)

/** Settings of the suite itself. Times are in milliseconds. */
export type SuiteSettings = SectionOf<typeof suiteSection>

/** What checks of every subject can need of the suite. */
export type SuitePath = PathOf<typeof suiteSection>

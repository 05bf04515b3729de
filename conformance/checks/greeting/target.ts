import {
  address,
  group,
  map,
  pem,
  section,
  text,
  word,
  type PathOf,
  type SectionOf,
} from '../../target-file/section.ts'
import type { SuitePath } from '../../target-file/suite.ts'

/** What a target file tells of a greeting service. */
export const greetingSection = section(
  'greeting',
  {
    address: address({
      says: 'host and port of the greeting service',
      example: '127.0.0.1:50051',
      required: true,
    }),
    service: text({
      says: 'the full name of its service, where server reflection does not tell it',
      example: 'examples.GreetingService',
    }),
    metadata: map({
      says: 'metadata that every call carries, such as what proves who calls',
      example: '{ "authorization": "Bearer ${GREETING_TOKEN}" }',
      variable: 'GREETING_METADATA',
    }),
    tls: group({
      ca: pem({
        says: 'a file with the certificates to trust, in place of those of the system; `tls: {}` alone turns TLS on',
        example: 'ca.pem',
      }),
      cert: pem({
        says: "a file with the client's own certificate, for a server that asks for one",
        example: 'client.pem',
        with: 'key',
      }),
      key: pem({
        says: 'a file with the key of that certificate',
        example: 'client-key.pem',
        with: 'cert',
      }),
    }),
    relationship: word(['one-to-one'], {
      says: 'one-to-one where each request gets one response, at once and in order',
      example: 'one-to-one',
    }),
  },
  {
    places: ['address'],
    label: ({ address }) => `greeting at ${address}`,
  },
)

/** A server of the greeting RPC. */
export type GreetingTarget = SectionOf<typeof greetingSection>

/** What its checks can need of a target file. */
export type GreetingNeed = PathOf<typeof greetingSection> | SuitePath

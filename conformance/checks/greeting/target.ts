import { belongsTogether } from '../../target-file/pem.ts'
import {
  address,
  group,
  map,
  pem,
  section,
  text,
  word,
  type Draft,
  type PathOf,
  type Problem,
  type SectionOf,
} from '../../target-file/section.ts'
import type { SuitePath } from '../../target-file/suite.ts'

/** The section of the target file for a greeting service. */
export const greetingSection = section(
  'greeting',
  {
    address: address({
      description: 'host and port of the greeting service',
      example: '127.0.0.1:50051',
      required: true,
    }),
    service: text({
      description: 'full name of the gRPC service, if server reflection does not provide it',
      example: 'examples.GreetingService',
    }),
    metadata: map({
      description: 'metadata of every call, such as credentials',
      example: '{ "authorization": "Bearer ${GREETING_TOKEN}" }',
      variable: 'GREETING_METADATA',
    }),
    tls: group(
      {
        ca: pem({
          description:
            'PEM file with the CA certificates to trust; to use those of the system, write `tls: {}` below `greeting:` in the target file',
          example: 'ca.pem',
        }),
        cert: pem({
          description: 'PEM file with a client certificate, for a server that requires one',
          example: 'client.pem',
          with: 'key',
        }),
        key: pem({
          description: 'PEM file with the private key of the client certificate',
          example: 'client-key.pem',
          with: 'cert',
        }),
      },
      { problems: findKeyMismatch },
    ),
    relationship: word(['one-to-one'], {
      description:
        'one-to-one if the server responds to each request immediately, with exactly one response; otherwise do not set it',
      example: 'one-to-one',
    }),
  },
  {
    identifyingKeys: ['address'],
    label: ({ address }) => `the greeting service at ${address}`,
  },
)

/** Reports a private key that does not belong to the client certificate. */
function findKeyMismatch({ values }: Draft): readonly Problem[] {
  const [cert, key] = [values.get('cert'), values.get('key')]
  return typeof cert !== 'string' || typeof key !== 'string' || belongsTogether(cert, key)
    ? []
    : [['key', 'greeting.tls.key does not belong to the certificate of greeting.tls.cert']]
}

/** A server of the greeting RPC. */
export type GreetingTarget = SectionOf<typeof greetingSection>

/** Keys of the target file that checks of the greeting service can need. */
export type GreetingNeed = PathOf<typeof greetingSection> | SuitePath

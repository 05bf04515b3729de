import { eventNames, flags } from '../../generated/events/names.ts'
import { authKeys } from './keys-auth.ts'
import { toolKeys } from './keys-tools.ts'

/**
 * What stands at a key of the target file. `root` is a URL that paths are added to, `url` one that is called as it is; an `id` may be a number;
 * a `word` is one of its choices, `words` are some of them; a `map` has names and values of its own, which are taken for secrets; a `pem` is the name of a
 * file with keys or certificates; an `object` is any object of JSON, `texts` are any texts in their order; `fields` are those of a form, by their names, with
 * values that are taken for secrets.
 */
export type Kind =
  | 'root'
  | 'url'
  | 'text'
  | 'id'
  | 'secret'
  | 'switch'
  | 'bytes'
  | 'count'
  | 'duration'
  | 'address'
  | 'word'
  | 'words'
  | 'map'
  | 'pem'
  | 'object'
  | 'texts'
  | 'fields'

export interface Key {
  /** Where it stands: `images.batch.url`. */
  readonly path: string
  readonly kind: Kind
  /** What it is, in a few words. */
  readonly says: string
  readonly example: string
  /** Variable of the environment that fills it in where nothing else does. */
  readonly variable?: string
  /** What holds where it is not given. */
  readonly fallback?: string
  /** Whether its section cannot do without it. */
  readonly required?: true
  /** For a word and for words. */
  readonly choices?: readonly string[]
}

/** Every key of the target file. Its schema, its flags, its errors and the file that `init` writes derive from this table. */
export const keys: readonly Key[] = [
  {
    path: 'images.url',
    kind: 'root',
    says: 'root of the API, with its version segment',
    example: 'http://127.0.0.1:4010/client/v4',
    required: true,
  },
  {
    path: 'images.account',
    kind: 'text',
    says: "the account's id",
    example: 'acc-1',
    required: true,
  },
  {
    path: 'images.token',
    kind: 'secret',
    says: 'a token that may edit images',
    example: '${IMAGES_TOKEN}',
    variable: 'IMAGES_TOKEN',
    required: true,
  },
  {
    path: 'images.limitedToken',
    kind: 'secret',
    says: 'a valid token that may not edit images',
    example: '${IMAGES_LIMITED_TOKEN}',
    variable: 'IMAGES_LIMITED_TOKEN',
  },
  {
    path: 'images.batch.url',
    kind: 'root',
    says: 'root of the batch host',
    example: 'http://127.0.0.1:4011',
    required: true,
  },
  {
    path: 'images.batch.token',
    kind: 'secret',
    says: "the batch host's own token",
    example: '${IMAGES_BATCH_TOKEN}',
    variable: 'IMAGES_BATCH_TOKEN',
    required: true,
  },
  {
    path: 'images.delivery',
    kind: 'root',
    says: 'root of the delivery URLs',
    example: 'http://127.0.0.1:4013',
  },
  {
    path: 'images.maxFileBytes',
    kind: 'bytes',
    says: 'the largest file that the service takes, in bytes',
    example: '10485760',
  },
  {
    path: 'images.bulk',
    kind: 'switch',
    says: 'true where the suite may make 101 images at each host',
    example: 'true',
  },
  {
    path: 'images.flexibleVariants',
    kind: 'switch',
    says: "the account's present setting, which the suite changes and puts back",
    example: 'false',
  },
  {
    path: 'images.state',
    kind: 'switch',
    says: 'false for a mock that remembers nothing',
    example: 'true',
    fallback: 'true',
  },
  {
    path: 'images.clock',
    kind: 'url',
    says: 'a URL that sets the clock of the target N seconds ahead of real time when {"offsetSeconds": N} is posted to it; 0 puts it back',
    example: 'http://127.0.0.1:4010/_touchstone/clock',
  },
  {
    path: 'images.fetchTimeout',
    kind: 'duration',
    says: 'how long the service waits for the rest of a picture that stalls while it fetches it; the suite waits for 2s more',
    example: '5s',
  },
  {
    path: 'hooks.url',
    kind: 'root',
    says: 'root of the hook API, with its version segment',
    example: 'http://127.0.0.1:4020/api/v4',
    required: true,
  },
  {
    path: 'hooks.project',
    kind: 'id',
    says: 'the project whose hooks the suite may add to',
    example: '42',
    required: true,
  },
  {
    path: 'hooks.token',
    kind: 'secret',
    says: 'a token that may configure hooks',
    example: '${HOOKS_TOKEN}',
    variable: 'HOOKS_TOKEN',
    required: true,
  },
  {
    path: 'hooks.triggers',
    kind: 'words',
    says: 'the events that a test call can bring about',
    example: '[push_events, issues_events]',
    fallback: '[push_events]',
    choices: [...Object.values(flags), 'confidential_issues_events'],
  },
  {
    path: 'hooks.state',
    kind: 'switch',
    says: 'false for a mock that delivers nothing',
    example: 'true',
    fallback: 'true',
  },
  {
    path: 'receiver.url',
    kind: 'url',
    says: 'where the receiver takes deliveries',
    example: 'http://127.0.0.1:4030/hook',
    required: true,
  },
  {
    path: 'receiver.secret',
    kind: 'secret',
    says: 'the secret token that it compares with',
    example: '${RECEIVER_SECRET}',
    variable: 'RECEIVER_SECRET',
  },
  {
    path: 'receiver.events',
    kind: 'words',
    says: 'the events that it takes',
    example: '[push, tag_push]',
    fallback: `[${eventNames.join(', ')}]`,
    choices: eventNames,
  },
  {
    path: 'receiver.onMismatch',
    kind: 'word',
    says: 'what it does with a wrong token: refuse it, or acknowledge and drop it',
    example: 'refuse',
    fallback: 'refuse',
    choices: ['refuse', 'drop'],
  },
  {
    path: 'greeting.address',
    kind: 'address',
    says: 'host and port of the greeting service',
    example: '127.0.0.1:50051',
    required: true,
  },
  {
    path: 'greeting.service',
    kind: 'text',
    says: 'the full name of its service, where server reflection does not tell it',
    example: 'examples.GreetingService',
  },
  {
    path: 'greeting.metadata',
    kind: 'map',
    says: 'metadata that every call carries, such as what proves who calls',
    example: '{ "authorization": "Bearer ${GREETING_TOKEN}" }',
    variable: 'GREETING_METADATA',
  },
  {
    path: 'greeting.tls.ca',
    kind: 'pem',
    says: 'a file with the certificates to trust, in place of those of the system; `tls: {}` alone turns TLS on',
    example: 'ca.pem',
  },
  {
    path: 'greeting.tls.cert',
    kind: 'pem',
    says: "a file with the client's own certificate, for a server that asks for one",
    example: 'client.pem',
  },
  {
    path: 'greeting.tls.key',
    kind: 'pem',
    says: 'a file with the key of that certificate',
    example: 'client-key.pem',
  },
  {
    path: 'greeting.relationship',
    kind: 'word',
    says: 'one-to-one where each request gets one response, at once and in order',
    example: 'one-to-one',
    choices: ['one-to-one'],
  },
  ...toolKeys,
  ...authKeys,
  {
    path: 'suite.receiver.listen',
    kind: 'address',
    says: 'where the suite receives deliveries',
    example: '127.0.0.1:0',
    fallback: '127.0.0.1:0',
  },
  {
    path: 'suite.receiver.publicUrl',
    kind: 'root',
    says: 'how a sender reaches it, where that is another address',
    example: 'https://receiver.example.com',
  },
  {
    path: 'suite.receiver.tlsListen',
    kind: 'address',
    says: 'where the suite receives deliveries over TLS, under a certificate that it signs itself',
    example: '127.0.0.1:0',
    fallback: '127.0.0.1:0',
  },
  {
    path: 'suite.receiver.tlsUrl',
    kind: 'root',
    says: 'how a sender reaches that one, where it is another address; nothing in between may end the TLS connection',
    example: 'https://receiver.example.com:8443',
  },
  {
    path: 'suite.pictures.listen',
    kind: 'address',
    says: 'where the suite serves the pictures that the target fetches',
    example: '127.0.0.1:0',
    fallback: '127.0.0.1:0',
  },
  {
    path: 'suite.pictures.publicUrl',
    kind: 'root',
    says: 'how the target reaches those pictures, where that is another address',
    example: 'https://pictures.example.com',
  },
  {
    path: 'suite.identity.listen',
    kind: 'address',
    says: 'where the suite plays the identity provider behind an oauth-proxy',
    example: '127.0.0.1:8097',
    fallback: '127.0.0.1:0',
  },
  {
    path: 'suite.identity.publicUrl',
    kind: 'root',
    says: 'how the tool server and its users reach it, where that is another address',
    example: 'https://identity.example.com',
  },
  {
    path: 'suite.patience',
    kind: 'duration',
    says: 'how long a delivery may take to arrive',
    example: '10s',
    fallback: '10s',
  },
  {
    path: 'suite.watch',
    kind: 'duration',
    says: 'how long a sender is watched after a delivery failed',
    example: '3s',
    fallback: '3s',
  },
  {
    path: 'suite.settle',
    kind: 'duration',
    says: 'how long a read may lag behind a write',
    example: '2s',
    fallback: '0s',
  },
  {
    path: 'suite.pace',
    kind: 'duration',
    says: 'the pause between the starts of two requests',
    example: '100ms',
    fallback: '0s',
  },
  {
    path: 'suite.concurrency',
    kind: 'count',
    says: 'requests under way at once',
    example: '8',
    fallback: '8',
  },
  {
    path: 'suite.timeout',
    kind: 'duration',
    says: 'the longest that one exchange may take',
    example: '10s',
    fallback: '10s',
  },
]

/** Maps that hold keys, the document itself (`''`) first. */
export const sections: readonly string[] = [
  ...new Set(
    keys.flatMap(({ path }) =>
      path.split('.').map((_, index, words) => words.slice(0, index).join('.')),
    ),
  ),
]

/** The section that a key stands in: `images.batch` for `images.batch.url`. */
export function sectionOf(path: string): string {
  return path.slice(0, path.lastIndexOf('.'))
}

/** Names that stand directly in a section. */
export function namesIn(section: string): string[] {
  const prefix = section === '' ? '' : `${section}.`
  const below = keys
    .filter(({ path }) => path.startsWith(prefix))
    .map(({ path }) => path.slice(prefix.length).split('.')[0]!)
  return [...new Set(below)]
}

/** The key's flag: `images.batch.url` is `--images-batch-url`, `images.maxFileBytes` is `--images-max-file-bytes`. */
export function flagOf(path: string): string {
  return `--${path.replaceAll('.', '-').replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
}

/** What giving a path of the target file means, for people; a section's words are those of its first key. */
export function saysOf(path: string): string | undefined {
  return (
    keys.find((key) => key.path === path) ?? keys.find((key) => key.path.startsWith(`${path}.`))
  )?.says
}

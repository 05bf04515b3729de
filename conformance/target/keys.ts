/** What stands at a key of the target file. `root` is a URL that paths are added to, `url` one that is called as it is. */
export type Kind = 'root' | 'url' | 'text' | 'secret' | 'switch' | 'bytes' | 'count' | 'duration' | 'address'

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
}

/** Every key of the target file. Its schema, its flags, its errors and the file that `init` writes derive from this table. */
export const keys: readonly Key[] = [
  { path: 'images.url', kind: 'root', says: 'root of the API, with its version segment', example: 'http://127.0.0.1:4010/client/v4' },
  { path: 'images.account', kind: 'text', says: "the account's id", example: 'acc-1' },
  { path: 'images.token', kind: 'secret', says: 'a token that may edit images', example: '${IMAGES_TOKEN}', variable: 'IMAGES_TOKEN' },
  {
    path: 'images.limitedToken',
    kind: 'secret',
    says: 'a valid token that may not edit images',
    example: '${IMAGES_LIMITED_TOKEN}',
    variable: 'IMAGES_LIMITED_TOKEN',
  },
  { path: 'images.batch.url', kind: 'root', says: 'root of the batch host', example: 'http://127.0.0.1:4011' },
  {
    path: 'images.batch.token',
    kind: 'secret',
    says: "the batch host's own token",
    example: '${IMAGES_BATCH_TOKEN}',
    variable: 'IMAGES_BATCH_TOKEN',
  },
  { path: 'images.delivery', kind: 'root', says: 'root of the delivery URLs', example: 'http://127.0.0.1:4013' },
  { path: 'images.maxFileBytes', kind: 'bytes', says: 'the largest file that the service takes, in bytes', example: '10485760' },
  { path: 'images.bulk', kind: 'switch', says: 'true where the suite may make 101 images', example: 'true' },
  {
    path: 'images.flexibleVariants',
    kind: 'switch',
    says: "the account's present setting, which the suite changes and puts back",
    example: 'false',
  },
  { path: 'images.state', kind: 'switch', says: 'false for a mock that remembers nothing', example: 'true', fallback: 'true' },
  {
    path: 'images.clock',
    kind: 'url',
    says: 'a URL that sets the clock of the target N seconds ahead of real time when {"offsetSeconds": N} is posted to it; 0 puts it back',
    example: 'http://127.0.0.1:4010/_touchstone/clock',
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
  { path: 'suite.settle', kind: 'duration', says: 'how long a read may lag behind a write', example: '2s', fallback: '0s' },
  { path: 'suite.pace', kind: 'duration', says: 'the pause between the starts of two requests', example: '100ms', fallback: '0s' },
  { path: 'suite.concurrency', kind: 'count', says: 'requests under way at once', example: '8', fallback: '8' },
  { path: 'suite.timeout', kind: 'duration', says: 'the longest that one exchange may take', example: '10s', fallback: '10s' },
]

/** Maps that hold keys, the document itself (`''`) first. */
export const sections: readonly string[] = [
  ...new Set(keys.flatMap(({ path }) => path.split('.').map((_, index, words) => words.slice(0, index).join('.')))),
]

/** Names that stand directly in a section. */
export function namesIn(section: string): string[] {
  const prefix = section === '' ? '' : `${section}.`
  const below = keys.filter(({ path }) => path.startsWith(prefix)).map(({ path }) => path.slice(prefix.length).split('.')[0]!)
  return [...new Set(below)]
}

/** The key's flag: `images.batch.url` is `--images-batch-url`, `images.maxFileBytes` is `--images-max-file-bytes`. */
export function flagOf(path: string): string {
  return `--${path.replaceAll('.', '-').replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
}

/** What giving a path of the target file means, for people; a section's words are those of its first key. */
export function saysOf(path: string): string | undefined {
  return (keys.find((key) => key.path === path) ?? keys.find((key) => key.path.startsWith(`${path}.`)))?.says
}

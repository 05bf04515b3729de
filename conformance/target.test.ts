import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { format, resolveConfig } from 'prettier'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import {
  keys,
  findMissingKeys,
  loadTarget,
  publicTarget,
  secretsOf,
  targetSchema,
  paths,
  type TargetPath,
} from './target.ts'
import { makeCertificate } from '../mocks/serving/certificate.ts'
import { flagOf, TargetError } from './target-file/index.ts'

const url = 'http://127.0.0.1:4010/client/v4'
let folder: string
afterAll(() => rm(folder, { recursive: true, force: true }))
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'touchstone-target-'))
})

async function load(
  text: string,
  environment: NodeJS.ProcessEnv = {},
  flags: Record<string, string | boolean> = {},
) {
  await writeFile(join(folder, 'touchstone.yaml'), text)
  return loadTarget({ file: 'touchstone.yaml', folder, environment, flags })
}

async function errorOf(
  text: string,
  environment: NodeJS.ProcessEnv = {},
  flags: Record<string, string | boolean> = {},
): Promise<string> {
  const error: unknown = await load(text, environment, flags).catch((caught: unknown) => caught)
  expect(error).toBeInstanceOf(TargetError)
  return (error as Error).message
}

/** A target with this list of known failures, whose first entry begins at 3:7. */
const listing = (list: string) =>
  `suite:\n  expected:\n    ${list.replaceAll('\n', '\n    ')}\ngreeting: { address: "h:1" }\n`

const least = `images:\n  url: ${url}/\n  account: acc-1\n  token: secret\n`

describe('a target file', () => {
  test('is loaded with defaults', async () => {
    expect(await load(least)).toEqual({
      images: { url, account: 'acc-1', token: 'secret', state: true },
      suite: {
        settle: 2000,
        rateLimitWait: 120_000,
        pace: 0,
        patience: 10_000,
        watch: 3000,
        concurrency: 8,
        timeout: 10_000,
      },
    })
  })

  test('is loaded with all keys of a section', async () => {
    const target = await load(
      `${least}  limitedToken: \${LIMITED}
  batch: { url: http://127.0.0.1:4011, token: \${BATCH} }
  delivery: http://127.0.0.1:4013
  maxFileBytes: \${MAX}
  bulk: true
  flexibleVariants: false
  state: false
  clock: http://127.0.0.1:4010/clock
  fetchTimeout: 1.5s
suite: { pictures: { listen: 127.0.0.1:0 }, settle: 1.5s, pace: 20ms, concurrency: 2, timeout: 3s }
`,
      { LIMITED: 'less', BATCH: 'heap', MAX: '2048' },
    )
    expect(target.images).toMatchObject({
      limitedToken: 'less',
      batch: { token: 'heap' },
      maxFileBytes: 2048,
      bulk: true,
      state: false,
      fetchTimeout: 1500,
    })
    expect(target.suite).toEqual({
      pictures: { listen: '127.0.0.1:0' },
      settle: 1500,
      pace: 20,
      rateLimitWait: 120_000,
      patience: 10_000,
      watch: 3000,
      concurrency: 2,
      timeout: 3000,
    })
    expect(secretsOf(target)).toEqual({
      IMAGES_TOKEN: 'secret',
      IMAGES_LIMITED_TOKEN: 'less',
      IMAGES_BATCH_TOKEN: 'heap',
    })
    expect(JSON.stringify(publicTarget(target))).not.toMatch(/secret|less"|heap/)
  })

  test('contains no secrets in reports, although other values contain them', async () => {
    const target = await loadTarget({
      environment: { HOOKS_TOKEN: 'a-long-token' },
      text: `hooks:
  url: http://127.0.0.1:4020/api/v4
  project: 42
  token: \${HOOKS_TOKEN}
  trigger:
    url: http://127.0.0.1:4020/events?key=\${HOOKS_TOKEN}
    events: [push_events]
    job_events: { command: curl, args: [-H, 'PRIVATE-TOKEN: \${HOOKS_TOKEN}'] }
`,
    })
    expect(publicTarget(target).hooks).toMatchObject({
      token: '$HOOKS_TOKEN',
      trigger: {
        url: 'http://127.0.0.1:4020/events?key=$HOOKS_TOKEN',
        job_events: { args: ['-H', 'PRIVATE-TOKEN: $HOOKS_TOKEN'] },
      },
    })
  })

  test('contains hooks, their receiver, and the available events', async () => {
    const hooks =
      'hooks: { url: http://127.0.0.1:4020/api/v4/, project: 42, token: t, testEvents: [push_events, job_events] }\n'
    const target = await load(
      `${hooks}receiver: { url: "http://127.0.0.1/hook?a=b", events: [push], onMismatch: drop }\n`,
      { RECEIVER_SECRET: 's' },
    )
    expect(target.hooks).toEqual({
      url: 'http://127.0.0.1:4020/api/v4',
      project: '42',
      token: 't',
      testEvents: ['push_events', 'job_events'],
      state: true,
    })
    expect(target.receiver).toEqual({
      url: 'http://127.0.0.1/hook?a=b',
      secret: 's',
      events: ['push'],
      onMismatch: 'drop',
    })
    expect(
      findMissingKeys(target, [
        'hooks.testEvents.job_events',
        'hooks.testEvents.pipeline_events',
        'receiver.events.push',
        'receiver.events.job',
        'suite.receiver',
      ]),
    ).toEqual(['hooks.testEvents.pipeline_events', 'receiver.events.job'])
    expect(secretsOf(target)).toMatchObject({ HOOKS_TOKEN: 't', RECEIVER_SECRET: 's' })
    const flags = { 'hooks.testEvents': 'push_events,issues_events' }
    expect((await load(hooks, {}, flags)).hooks?.testEvents).toEqual([
      'push_events',
      'issues_events',
    ])
    const named = hooks.replace('[push_events', "['${EVENT}'")
    expect((await load(named, { EVENT: 'tag_push_events' })).hooks?.testEvents).toEqual([
      'tag_push_events',
      'job_events',
    ])
  })

  test('contains a greeting service, with metadata and the content of files', async () => {
    const { key, cert } = await makeCertificate()
    for (const [name, pem] of Object.entries({ ca: cert, client: cert, key }))
      await writeFile(join(folder, `${name}.pem`), pem)
    const least = 'greeting:\n  address: 127.0.0.1:50051\n'
    expect((await load(least)).greeting).toEqual({ address: '127.0.0.1:50051' })
    expect((await load(`${least}  tls: {}\n`)).greeting).toEqual({
      address: '127.0.0.1:50051',
      tls: {},
    })
    const more =
      '  metadata: { Authorization: "Bearer ${TOKEN}", x-run: one }\n  tls: { ca: ca.pem, cert: client.pem, key: key.pem }\n  relationship: one-to-one\n'
    const target = await load(least + more, { TOKEN: 'hush-hush' })
    expect(target.greeting).toEqual({
      address: '127.0.0.1:50051',
      metadata: { authorization: 'Bearer hush-hush', 'x-run': 'one' },
      tls: { ca: cert, cert, key },
      relationship: 'one-to-one',
    })
    expect(
      findMissingKeys(target, ['greeting.tls', 'greeting.metadata', 'greeting.relationship']),
    ).toEqual([])
    expect(
      findMissingKeys(await load(least), [
        'greeting.tls',
        'greeting.metadata',
        'greeting.relationship',
      ]),
    ).toHaveLength(3)
    expect(secretsOf(target)).toMatchObject({ GREETING_AUTHORIZATION: 'hush-hush' })
    expect(secretsOf(target)).not.toHaveProperty('GREETING_X_RUN')
    expect(JSON.stringify(publicTarget(target))).not.toMatch(/hush|BEGIN/)
    const flags = {
      'greeting.address': '[::1]:50051',
      'greeting.metadata': 'authorization=Basic a=,x-list=1,2, x-other=3',
      'greeting.tls.ca': 'ca.pem',
    }
    expect((await loadTarget({ flags, folder })).greeting).toMatchObject({
      address: '[::1]:50051',
      metadata: { authorization: 'Basic a=', 'x-list': '1,2', 'x-other': '3' },
      tls: { ca: cert },
    })
    await writeFile(join(folder, 'other-key.pem'), (await makeCertificate()).key)
    await expect(load(`${least}  tls: { cert: client.pem, key: other-key.pem }\n`)).rejects.toThrow(
      'greeting.tls.key does not belong to the certificate of greeting.tls.cert',
    )
    expect((await load(least, { GREETING_METADATA: 'x=y' })).greeting?.metadata).toEqual({ x: 'y' })
  })

  test('contains a list of known failures, or the name of its file', async () => {
    const text = listing(
      "- id: IMG-UPLOAD-04\n  reason: &later later (${TICKET})\n  until: 2026-12-31\n- { id: '${AREA}', reason: *later }",
    )
    const expected = [
      { id: 'IMG-UPLOAD-04', reason: 'later (318)', until: '2026-12-31' },
      { id: 'IMG-BATCH', reason: 'later (318)' },
    ]
    const target = await load(text, { TICKET: '318', AREA: 'IMG-BATCH' })
    expect(target.suite.expected).toEqual(expected)
    expect(publicTarget(target).suite.expected).toEqual(expected)
    expect((await load(listing('[]'))).suite.expected).toEqual([])
    expect((await load('suite: { expected: list.yaml }')).suite.expected).toBe('list.yaml')
    // The option has precedence, so mistakes in the list do not matter.
    const flags = { 'suite.expected': 'other.yaml' }
    expect((await load(listing('- 1'), {}, flags)).suite.expected).toBe('other.yaml')
    const option = await errorOf(least, {}, { 'suite.expected': '[]\n' })
    expect(option).toBe('--expected  suite.expected contains a line break')
  })

  test('contains aliases within values', async () => {
    const text = `${least}suite:\n  absent: { IMG-BATCH: &later not yet, IMG-VARIANT: *later }\n`
    expect((await load(text)).suite.absent).toEqual({
      'IMG-BATCH': 'not yet',
      'IMG-VARIANT': 'not yet',
    })
  })

  test.each([
    ['- id: IMG-GET', ':3:7  suite.expected[0] has no reason'],
    ['- id: IMG-GET\n  reason:', ':4:14  suite.expected[0] has no reason'],
    [
      '- { id: IMG-GET, reason: x }\n- { id: IMG-GET, reason: y }',
      ':4:13  suite.expected[1] lists IMG-GET again',
    ],
    [
      '- { reason: x, id: img }',
      ':3:24  suite.expected[0] has no valid id; expected one such as IMG-UPLOAD-04 or IMG-UPLOAD',
    ],
    [
      '- { id: IMG, reason: x, until: 2026-02-30 }',
      ':3:36  suite.expected[0] has a value of until that is not a day; expected a day such as 2026-12-31',
    ],
    [
      '- { id: IMG, reason: x, owner: me }',
      ':3:36  suite.expected[0] has the unknown key owner; expected id, reason, until',
    ],
    ['- IMG', ':3:7  suite.expected[0] is not a map; expected id, reason and optionally until'],
    ['id: IMG', ':3:5  suite.expected is a map; expected a list'],
    [
      '4711',
      ':3:5  suite.expected is a number, 4711; expected the name of a file, or a list of entries with id, reason and optionally until',
    ],
    [
      '- { id: IMG, reason: "${NOWHERE}" }',
      ':3:5  suite.expected needs the variable NOWHERE, which is not set. Next: export NOWHERE=…',
    ],
    ['&a\n- *a', ':4:5  suite.expected has aliases that form a circle, or has too many aliases'],
  ])('with the wrong list of known failures %j is refused with the location', async (list, at) => {
    expect(await errorOf(listing(list))).toBe(`touchstone.yaml${at}`)
  })

  test('is overridden by options, and reads secrets from the environment', async () => {
    const flags = {
      'images.url': 'https://images.example.com',
      'images.bulk': 'true',
      'suite.pace': '1s',
    }
    const target = await load(
      'images: { url: http://x, account: a }',
      { IMAGES_TOKEN: 'from-env', IMAGES_BATCH_TOKEN: 'unused' },
      flags,
    )
    expect(target).toMatchObject({
      images: { url: 'https://images.example.com', token: 'from-env', bulk: true },
      suite: { pace: 1000 },
    })
    expect(target.images).not.toHaveProperty('batch')
  })

  test.each([
    [
      'a key that is indented too far',
      'tools:\n  http: http://a/mcp\n    search: { tool: a }\n',
      /^touchstone\.yaml:3:5 {2}is not YAML: the line is indented too far; /,
    ],
    [
      'a key that is indented too far below a continued value',
      'tools:\n  http: a\n    b\n   search: { tool: a }\n',
      /^touchstone\.yaml:4:4 {2}is not YAML: the line is indented too far; /,
    ],
    [
      'two colons in one line',
      'images: b: c\n',
      /^touchstone\.yaml:1:9 {2}is not YAML: Nested mappings /,
    ],
    [
      'a key that appears twice',
      'suite: { seed: 1 }\nimages: { account: a }\nsuite: { seed: 2 }',
      /^touchstone\.yaml:3:1 {2}is not YAML: the key suite appears twice in its map; put /,
    ],
    ['invalid YAML', 'images: [', /^touchstone\.yaml:1:\d+ {2}is not YAML: /],
    [
      'an unknown key',
      `${least}  tokn: x\n`,
      /^touchstone\.yaml:5:3 {2}images has no key tokn\. Did you mean token\?$/,
    ],
    [
      'an unknown section',
      `imgs: {}\n${least}`,
      /touchstone\.yaml:1:1 {2}the target file has no key imgs\. Did you mean images\?/,
    ],
    [
      'a key in the wrong place',
      `${least}maxFileBytes: 3\n`,
      /Did you mean images\.maxFileBytes\?/,
    ],
    [
      'a number for a string',
      least.replace('acc-1', '17'),
      /:3:12 {2}images\.account is a number, 17; expected a string, in quotes/,
    ],
    [
      'a string for a boolean',
      `${least}  bulk: "yes"\n`,
      /images\.bulk is a string, yes; expected true or false/,
    ],
    [
      'a string for a number',
      `${least}  maxFileBytes: 10 MB\n`,
      /expected a whole number of bytes/,
    ],
    [
      'a duration without a unit',
      `${least}suite: { settle: 2 }\n`,
      /suite\.settle is a number, 2; expected a duration with its unit/,
    ],
    ['a list for a section', 'images: []\n', /images is not a map; expected the keys url, account/],
    [
      'a map for a value',
      least.replace('acc-1', '{ id: 1 }'),
      /images\.account is a map; expected a single value/,
    ],
    [
      'an unset variable',
      least.replace('secret', '${NOWHERE}'),
      /^touchstone\.yaml:4:10 {2}images\.token needs the variable NOWHERE, which is not set\./,
    ],
    [
      'a URL without scheme',
      least.replace('http://', ''),
      /:2:8 {2}images\.url has no scheme: .* Write http:\/\/127\.0\.0\.1:4010/,
    ],
    ['a scheme other than http', least.replace('http:', 'ftp:'), /neither http nor https/],
    [
      'an unknown value in a list',
      'hooks: { url: http://h, project: a, token: t, testEvents: [push_event] }',
      /hooks\.testEvents does not accept push_event\. Did you mean push_events\?/,
    ],
    [
      'the former name of a key',
      'hooks: { url: http://h, project: a, token: t, triggers: [push_events] }',
      /hooks has no key triggers: it is called testEvents now\./,
    ],
    [
      'an unknown value',
      'receiver: { url: http://h, onMismatch: ignore }',
      /receiver\.onMismatch does not accept ignore\. Expected one of refuse, drop/,
    ],
    [
      'a greeting without a port',
      'greeting: { address: localhost }',
      /greeting\.address is a string, localhost; expected host:port/,
    ],
    [
      'an unknown relationship',
      'greeting: { address: "h:1", relationship: one-to-many }',
      /greeting\.relationship does not accept one-to-many\. Did you mean one-to-one\?/,
    ],
    [
      'metadata that is a string',
      'greeting: { address: "h:1", metadata: hush }',
      /greeting\.metadata is a string; expected an object of strings, or name=value pairs on the command line$/,
    ],
    [
      'metadata of the protocol',
      'greeting: { address: "h:1", metadata: { te: gzip } }',
      /contains te, which the protocol sets itself/,
    ],
    [
      'a number in metadata',
      'greeting: { address: "h:1", metadata: { x: 5555 } }',
      /must have a string at x, in quotes/,
    ],
    [
      'an unset variable in metadata',
      'greeting: { address: "h:1", metadata: { x: "${NOWHERE}" } }',
      /^touchstone\.yaml:1:\d+ {2}greeting\.metadata needs the variable NOWHERE, which is not set\. Next: export NOWHERE=…$/,
    ],
    [
      'a placeholder in a copied reason',
      'suite:\n  absent:\n    HOOK-URL: … # 5 checks\n    HOOK-SSL: …\ngreeting: { address: "h:1" }',
      /^touchstone\.yaml:3:\d+ {2}suite\.absent contains …, the placeholder of a copied line\. Replace it\.$/,
    ],
    [
      'a placeholder in a copied call',
      'tools:\n  http: http://h/mcp\n  search: { tool: find, arguments: { "query": … } }',
      /^touchstone\.yaml:3:\d+ {2}tools\.search\.arguments contains …, the placeholder of a copied line\. Replace it\.$/,
    ],
    [
      'metadata with a line break',
      'greeting: { address: "h:1", metadata: { x: "a\\nb" } }',
      /has a character at x that is not printable ASCII/,
    ],
    [
      'a missing certificate',
      'greeting: { address: "h:1", tls: { ca: none.pem } }',
      /greeting\.tls\.ca names \S+none\.pem, which cannot be read: there is no such file/,
    ],
    [
      'a file without a certificate',
      'greeting: { address: "h:1", tls: { ca: touchstone.yaml } }',
      /which contains no certificate/,
    ],
    [
      'a certificate without its key',
      'greeting: { address: "h:1", tls: { cert: ca.pem } }',
      /greeting\.tls\.cert is set without greeting\.tls\.key/,
    ],
    ['no value', least.replace(' secret', ''), /images\.token has no value/],
    ['a string instead of a map', 'hello\n', /the file is not a map/],
  ])('with %s is refused with the reason', async (_, text, message) => {
    expect(await errorOf(text)).toMatch(message)
  })

  test('without a token is an error that names the variable and the option', async () => {
    const text = `images: { url: ${url}, account: a, batch: { url: ${url} } }`
    const message = await errorOf(text)
    expect(message).toContain('export IMAGES_TOKEN=…, or --images-token …')
    expect(message).toContain('export IMAGES_BATCH_TOKEN=…')
  })

  test('has errors without secrets, even for secrets of a wrong type', async () => {
    expect(await errorOf(least.replace('secret', '[5555]'))).not.toContain('5555')
    expect(await errorOf(least.replace('secret', '5555'))).not.toContain('5555')
  })

  test('with many mistakes is an error that lists the first 20', async () => {
    const lines = (
      await errorOf(Array.from({ length: 50 }, (_, at) => `a${at}: 1\n`).join(''))
    ).split('\n')
    expect(lines).toHaveLength(21)
    expect(lines.at(-1)).toBe('… and 30 more')
  })

  test('that does not exist is an error with the next step', async () => {
    await expect(loadTarget({ file: 'none.yaml', folder })).rejects.toThrow(
      /^none\.yaml: there is no such file\.\nNext: .*touchstone init/,
    )
  })
})

test('findMissingKeys returns the needed paths that a target does not set', async () => {
  const target = await load(least)
  const all = [
    'images.state',
    'images.bulk',
    'images.batch',
    'images.flexibleVariants',
    'images.clock',
    'suite.pictures',
  ]
  expect(findMissingKeys(target, all)).toEqual([
    'images.bulk',
    'images.batch',
    'images.flexibleVariants',
    'images.clock',
  ])
  const remote = least.replace('127.0.0.1:4010', 'images.example.com')
  expect(findMissingKeys(await load(remote), ['suite.pictures'])).toEqual(['suite.pictures'])
  expect(
    findMissingKeys(await load(`${remote}suite: { pictures: {} }\n`), ['suite.pictures']),
  ).toEqual([])
  expect(
    findMissingKeys(await load(`${least}  flexibleVariants: false\n  bulk: false\n`), all),
  ).not.toContain('images.flexibleVariants')
})

test('every path that a check can need is known at compile time and at run time', () => {
  const some: TargetPath[] = [
    'images',
    'images.batch.url',
    'hooks.testEvents.job_events',
    'suite.pictures',
  ]
  expect(paths).toEqual(expect.arrayContaining(some))
  // @ts-expect-error No section declares it.
  const none: TargetPath = 'images.btach'
  expect(paths).not.toContain(none)
})

test('a key that requires another key names one of its own group', () => {
  for (const { path, with: other } of keys)
    if (other !== undefined) expect(paths).toContain(path.replace(/[^.]+$/, other))
})

test('every key has its own option', () => {
  expect(flagOf('images.maxFileBytes')).toBe('--images-max-file-bytes')
  expect(new Set(keys.map(({ path }) => flagOf(path))).size).toBe(keys.length)
})

test('the schema in specs/ is the one that the keys generate', async () => {
  const file = fileURLToPath(new URL('../specs/json-schema/target.json', import.meta.url))
  const style = { ...(await resolveConfig(file)), parser: 'json' }
  const text = await format(JSON.stringify(targetSchema(), null, 2), style)
  await expect(text).toMatchFileSnapshot(file)
  const validate = new Ajv2020({ allowUnionTypes: true }).compile(
    JSON.parse(await readFile(file, 'utf8')) as object,
  )
  expect(validate(parse(least)), JSON.stringify(validate.errors)).toBe(true)
  expect(validate(parse(`${least}  tokn: x`))).toBe(false)
  const entry = '{ id: IMG-UPLOAD-04, reason: later, until: 2026-12-31 }'
  for (const list of ['list.yaml', `[${entry}, { id: '\${AREA}', reason: later }]`, '[]'])
    expect(validate(parse(`suite: { expected: ${list} }`)), list).toBe(true)
  for (const wrong of ['{ id: IMG }', entry.replace('id', 'ids'), entry.replace('12-31', '12')])
    expect(validate(parse(`suite: { expected: [${wrong}] }`)), wrong).toBe(false)
})

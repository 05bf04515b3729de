import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest'
import { exampleOf } from '../../generated/events/examples.ts'
import { eventNames, type EventName } from '../../generated/events/names.ts'
import { requirements } from '../../generated/requirements/index.ts'
import { commandOf } from './command.testing.ts'
import { describe as describeValidateCommand } from './validate.ts'

const samples = fileURLToPath(new URL('../../specs/examples/events/', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'touchstone-validate-'))
afterAll(() => rmSync(folder, { recursive: true }))
afterEach(() => vi.unstubAllEnvs())

const validate = commandOf('validate', describeValidateCommand)

/** Writes each value to a line, strings as they are and others as JSON. Returns the path. */
function file(name: string, ...values: unknown[]): string {
  const path = join(folder, name)
  writeFileSync(
    path,
    values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value))).join('\n'),
  )
  return path
}
const sample = (event: EventName, change: object = {}, name?: string) => ({
  ...exampleOf(event, name)!.payload,
  ...change,
})
const headers = {
  'Content-Type': 'application/json',
  'User-Agent': 'Forge/17.3',
  'X-Hook-Event': 'Push Hook',
}

describe('touchstone validate', () => {
  test('accepts every sample payload, in folders', async () => {
    const count = eventNames.flatMap((event) => readdirSync(join(samples, event))).length
    const { status, out } = await validate(...eventNames.map((event) => join(samples, event)))
    expect(status).toBe(0)
    expect(
      out
        .split('\n')
        .slice(0, -2)
        .every((line) => /^ok {10}\w+ +\S+\.json$/.test(line)),
    ).toBe(true)
    expect(out).toMatch(new RegExp(`\n${count} deliveries: ${count} ok\n$`))
  })

  test('prints each difference with its requirement', async () => {
    const { object_attributes: attributes } = sample('pipeline') as unknown as {
      object_attributes: object
    }
    const wrong = sample('pipeline', {
      object_attributes: { ...attributes, status: 'done' },
      user: { id: 7, name: 'a', username: 'b', avatar_url: 'c' },
    })
    const path = file('two.ndjson', sample('release'), wrong)
    expect(await validate(path)).toEqual({
      status: 1,
      error: '',
      out: `ok          release        ${path}:1
fails       pipeline       ${path}:2  /object_attributes/status: expected one of pending, running, success, failed, canceled, skipped; received "done"  EVT-PIPELINE-13
            /user/email: expected anything except null; received nothing  EVT-USER-05
2 deliveries: 1 ok, 1 failed
`,
    })
  })

  test('prints a requirement once for all places with one expectation', async () => {
    const { commits } = sample('push', {}, 'commits') as unknown as { commits: object[] }
    const [first] = commits
    const wrong = sample('push', { commits: [1, 2, 3].map((id) => ({ ...first, id })) }, 'commits')
    const { out } = await validate(file('places.json', wrong))
    expect(
      out.match(
        /\/commits\/\*\/id \(3 places\): expected .*; received 3 wrong values, such as 1 /g,
      ),
    ).toHaveLength(1)
    expect(out).not.toContain('/commits/0/id')
    const { out: json } = await validate('--json', join(folder, 'places.json'))
    expect(json).toContain('"/commits/2/id"')
  })

  test('checks rules beyond the schemas, and exits with 1 after warnings if --strict is set', async () => {
    const counted = file('counted.json', sample('push', { ref: 'main' }, 'commits'))
    expect(await validate(counted)).toMatchObject({
      status: 0,
      out: expect.stringMatching(
        /^warns {7}push .*received "main" {2}EVT-PUSH-10 \(should\)\n1 delivery: 0 ok, 1 with a warning\n$/,
      ),
    })
    expect((await validate(counted, '--strict')).status).toBe(1)
    const tag = file('tag.json', sample('tag_push', { before: '3'.repeat(40) }, 'create'))
    expect((await validate(tag)).out).toMatch(/^fails {7}tag_push .*\/before: .*EVT-TAGPUSH-20\n/)
    const issue = file('issue.json', sample('issue', { changes: { title: { previous: 'a' } } }))
    expect((await validate(issue)).out).toMatch(/\/changes\/title: .*EVT-ISSUE-32\n/)
  })

  test('accepts deliveries with their headers, in each format', async () => {
    const body = sample('push')
    const pairs = Object.entries(headers)
    const kept = [
      { headers, body },
      { headers: pairs, payload: body },
      { request_headers: headers, request_data: body },
      {
        request: { method: 'POST', url: '/', headers, body: JSON.stringify(body) },
        response: { status: 200 },
      },
      { object_kind: 'push', event: 'Push Hook', headers, payload: body },
      { headers: pairs.map(([name, value]) => ({ name, value })), body },
    ]
    expect(
      (await validate(file('kept.json', kept), file('list.json', { deliveries: kept }))).out,
    ).toContain('12 deliveries: 12 ok\n')
    const odd = [
      { headers: { ...headers, 'x-hook-event': 'Job Hook' }, body },
      { headers: { ...headers, 'User-Agent': 'curl' }, body },
      { headers: { 'X-Hook-Event': 'Push Hook', 'User-Agent': 'a/1' }, body },
      { method: 'GET', headers, body: '' },
      { headers, body: '{"a"' },
      { headers },
      { headers: { ...headers, 'X-Hook-Event': 'Job Hook' }, body: {} },
      { headers: { ...headers, 'X-Hook-Event': 'Secret Issue Hook' }, body: sample('issue') },
    ]
    const { out } = await validate(file('odd.json', odd))
    const verdicts = out
      .split(/^(?=ok|warns|fails)/m)
      .map((part) => [part.split(' ')[0], ...(part.match(/EVT-[A-Z]+-\d+/g) ?? [])].slice(0, 2))
    expect(verdicts.map((verdict) => verdict.join(' ').replace(/\n.*/s, ''))).toEqual([
      'fails EVT-PUSH-03',
      'fails EVT-HEADER-04',
      'warns EVT-DELIVERY-04',
      'fails EVT-DELIVERY-01',
      'fails EVT-DELIVERY-03',
      'fails EVT-DELIVERY-03',
      'fails EVT-JOB-05',
      'ok EVT-EVENT-01',
    ])
  })

  test('uses the event of --event if the payload does not contain it', async () => {
    const { object_kind: _, ...nameless } = sample('job') as Record<string, unknown>
    const path = file('nameless.json', nameless)
    expect(await validate(path)).toMatchObject({
      status: 1,
      out: expect.stringMatching(/^fails {7}unknown .*--event; received nothing\n/),
    })
    expect((await validate(path, '--event', 'Job Hook')).out).toMatch(
      /^fails {7}job {12}\S+ {2}\/object_kind: expected "build"; received nothing {2}EVT-JOB-05\n1 delivery/,
    )
    const other = file('other.json', sample('push'))
    // For a payload of another event, only `object_kind` is reported. The fields are not compared.
    expect((await validate(other, '--event', 'tag-push')).out).toMatch(
      /\/object_kind: expected "tag_push"; received "push" {2}EVT-TAGPUSH-05\n1 delivery/,
    )
    expect(await validate(other, '--event', 'pusch')).toMatchObject({
      status: 3,
      error: expect.stringContaining('Did you mean push?'),
    })
    for (const word of ['push_events', 'PushHook', 'Push', 'pushes', 'push-events'])
      expect((await validate(other, '--event', word)).status).toBe(0)
  })

  test('prints lines of JSON, and with --quiet only differences', async () => {
    const path = file('three.ndjson', sample('push'), sample('issue', { labels: 7 }), sample('job'))
    const lines = (await validate(path, '--json')).out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as object)
    expect(lines[0]).toEqual({ verdict: 'ok', event: 'push', file: path, line: 1, findings: [] })
    expect(lines[1]).toMatchObject({
      verdict: 'fails',
      line: 2,
      findings: [
        {
          requirement: 'EVT-ISSUE-30',
          level: 'must',
          path: '/labels',
          expected: 'an array',
          received: '7',
        },
      ],
    })
    expect(lines[3]).toEqual({
      summary: {
        deliveries: 3,
        ok: 2,
        warned: 0,
        failed: 1,
        notJudged: 0,
        tokensNotChecked: 0,
        requirements: { 'EVT-ISSUE-30': 1 },
        exit: 1,
      },
    })
    expect((await validate(path, '--quiet')).out).toMatch(
      /^fails .*\n3 deliveries: 2 ok, 1 failed\n$/,
    )
  })

  test('ends with a tally of the requirements that several deliveries do not meet', async () => {
    const path = file(
      'tally.ndjson',
      sample('push', { ref: 'main' }),
      sample('push', { ref: 'main', user_id: 'x' }),
      sample('push', { user_id: 'x' }),
      sample('push', { ref: 'main' }),
      { object_kind: 'note' },
      sample('issue'),
    )
    const { out } = await validate(path)
    expect(out.slice(out.indexOf('\n\n'))).toBe(`

Requirements that were not met, and in how many deliveries:
EVT-PUSH-10  3 warned  ${requirements['EVT-PUSH-10'].statement}
EVT-PUSH-12  2 failed  ${requirements['EVT-PUSH-12'].statement}

6 deliveries: 1 ok, 2 with a warning, 2 failed, 1 not judged
`)
    const summary = (await validate(path, '--json')).out.trim().split('\n').at(-1)!
    expect(JSON.parse(summary)).toMatchObject({
      summary: { requirements: { 'EVT-PUSH-10': 3, 'EVT-PUSH-12': 2 } },
    })
  })

  describe('the token of a saved delivery', () => {
    const delivery = (token?: string, more: object = {}) => ({
      headers: { ...headers, ...(token === undefined ? {} : { 'X-Hook-Token': token }) },
      body: sample('push'),
      ...more,
    })

    test('is not checked without a secret, and the output reports that', async () => {
      const path = file('no-secret.ndjson', delivery('hush'), delivery(), sample('push'))
      const { status, out } = await validate(path)
      expect([status, out]).toEqual([
        0,
        expect.stringMatching(
          /\ntoken not checked in 2 deliveries: no secret is given\. Set RECEIVER_SECRET or use --token\n3 deliveries: 3 ok\n$/,
        ),
      ])
      const lines = (await validate(path, '--json')).out.trim().split('\n')
      expect(lines.map((line) => (JSON.parse(line) as { token?: string }).token)).toEqual([
        'not checked',
        'not checked',
        undefined,
        undefined,
      ])
      expect(JSON.parse(lines[3]!)).toMatchObject({ summary: { tokensNotChecked: 2 } })
    })

    test('is compared with the secret', async () => {
      vi.stubEnv('RECEIVER_SECRET', 'hush')
      const path = file('secret.ndjson', delivery('hush'), delivery('other'), delivery())
      const { status, out } = await validate(path)
      expect([status, out.match(/^(ok|fails)|EVT-HEADER-01$|token not checked/gm)]).toEqual([
        1,
        ['ok', 'fails', 'EVT-HEADER-01', 'fails', 'EVT-HEADER-01'],
      ])
      expect((await validate(path, '--token', 'other')).out).toMatch(/^fails .*\nok .*\nfails /)
    })

    test('has the result that listen recorded, if its value was not saved', async () => {
      vi.stubEnv('RECEIVER_SECRET', 'hush')
      const path = file(
        'recorded.ndjson',
        delivery('$RECEIVER_SECRET', { token: 'right' }),
        delivery('(not saved)', { token: 'wrong' }),
        delivery('(not saved)', { token: 'unexpected' }),
        delivery('$RECEIVER_SECRET'),
      )
      const { out } = await validate(path)
      expect(out.match(/^(ok|fails)|token not checked.*/gm)).toEqual([
        'ok',
        'fails',
        'ok',
        'ok',
        'token not checked in 2 deliveries: it was not saved',
      ])
    })
  })

  test('does not judge an event that the contract does not describe', async () => {
    const path = file('note.json', { object_kind: 'note' })
    expect(await validate(path, '--strict')).toMatchObject({
      status: 0,
      out: expect.stringMatching(
        /^not judged {2}unknown .*\/object_kind: expected one of push, .*--event; received "note"\n1 delivery: 0 ok, 1 not judged\n/,
      ),
    })
  })

  test('accepts an array in a line', async () => {
    const path = file('arrays.ndjson', [sample('push'), sample('job')], sample('issue'))
    const { status, out } = await validate(path)
    expect([status, out.match(/^\w+ +\w+/gm)]).toEqual([
      0,
      ['ok          push', 'ok          job', 'ok          issue', '3 deliveries'],
    ])
  })

  test('an invalid line fails, and does not affect others', async () => {
    const path = file(
      'broken.ndjson',
      '{"object_kind": "pu',
      sample('push'),
      '',
      'nonsense',
      '7',
      sample('job'),
    )
    const { status, out } = await validate(path)
    expect([
      status,
      out
        .split('\n')
        .filter((line) => line.includes(path))
        .map((line) =>
          line
            .replace(path, '')
            .replace(/ {2}body.*/, '')
            .replace(/ +/g, ' '),
        ),
    ]).toEqual([
      1,
      ['fails unknown :1', 'ok push :2', 'fails unknown :4', 'fails unknown :5', 'ok job :6'],
    ])
  })

  test.each([
    [[], /nonsense\.txt is not JSON: .*\n.*Next: /],
    [['empty.json'], /empty\.json does not contain a delivery/],
    [['none.json'], /none\.json cannot be read: there is no such file/],
    [['list.json'], /list\.json does not contain a delivery/],
    [['bytes.json'], /bytes\.json is not JSON/],
    [['void'], /void does not contain a file that ends in/],
  ])('reports why %j cannot be read, and reads the other files', async (names, message) => {
    mkdirSync(join(folder, 'void'), { recursive: true })
    const paths = {
      'nonsense.txt': file('nonsense.txt', 'nonsense'),
      'empty.json': file('empty.json', ' '),
      'list.json': file('list.json', '[]'),
    }
    writeFileSync(
      join(folder, 'bytes.json'),
      Buffer.from(Array.from({ length: 9999 }, (_, index) => (index * 7919) % 256)),
    )
    const read = await validate(
      ...(names.length === 0 ? [paths['nonsense.txt']] : names.map((name) => join(folder, name))),
      file('right.json', sample('push')),
    )
    expect(read).toMatchObject({ status: 3, error: expect.stringMatching(message) })
    expect(read.error).toMatch(/^error: /)
    if (!names.includes('void')) expect(read.out).toMatch(/^ok {10}push/)
  })

  test('invalid UTF-8 is not JSON', async () => {
    const path = join(folder, 'latin.ndjson')
    const line = Buffer.from(JSON.stringify(sample('push', { user_name: 'Zoë' })), 'latin1')
    writeFileSync(
      path,
      Buffer.concat([
        Buffer.from(
          `${readFileSync(join(samples, 'push/commits.json'), 'utf8').replace(/\s*\n\s*/g, '')}\n`,
        ),
        line,
      ]),
    )
    expect((await validate(path)).out).toMatch(
      /:1\nfails {7}unknown .*:2 {2}body: expected JSON, one object; received invalid UTF-8 {2}EVT-DELIVERY-03\n/,
    )
  })

  test('no schema counts characters, so files can be decoded as Latin-1', () => {
    const schemas = fileURLToPath(new URL('../../generated/events/schemas/', import.meta.url))
    const texts = readdirSync(schemas)
      .map((name) => readFileSync(join(schemas, name), 'utf8'))
      .join()
    expect(texts.match(/"((min|max)Length|propertyNames|patternProperties|format": ")/)).toBeNull()
  })
})

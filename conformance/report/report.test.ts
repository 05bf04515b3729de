import { verdictOf as makeVerdict } from '../engine/judge.ts'
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { requirements, type RequirementId } from '../../generated/requirements/index.ts'
import { reasonCodes, type ExchangeRecord, type ReasonCode, type Verdict } from '../engine/index.ts'
import { openReport, reporterNames, type EarlierFailure, type ReporterName } from './index.ts'

const hostile = 'x\u001b[31m<script>alert("&")</script>\u0000`|\ud800'

const exchange: ExchangeRecord = {
  number: 3,
  operation: 'uploadImage',
  request: {
    method: 'POST',
    url: 'http://t/images/v1',
    headers: { Authorization: 'Bearer $IMAGES_TOKEN' },
    body: 'url=http://p',
  },
  response: { status: 200, headers: [['Content-Type', 'application/json']], body: hostile },
  isSelfContained: true,
  curl: `curl -i -H "Authorization: Bearer $IMAGES_TOKEN" 'http://t/images/v1'`,
  milliseconds: 4,
}

function verdict(
  requirement: RequirementId,
  title: string,
  rest: Partial<Verdict> & Pick<Verdict, 'verdict'>,
): Verdict {
  return makeVerdict(
    { key: `${requirement} ${title}`, requirement, entry: requirements[requirement], title },
    { durationMs: 5, ...rest },
  )
}

const broken = {
  name: 'refused',
  held: false,
  expected: 'a refusal',
  received: `200  ${hostile}`,
  exchange: 3,
}
const verdicts: Verdict[] = [
  verdict('IMG-UPLOAD-04', 'refuses a file and a URL together', {
    verdict: 'fail',
    expectations: [broken, broken, { ...broken, name: 'envelope', expected: 'a failure envelope' }],
    exchanges: [exchange],
    differs: 'only in the added field url',
  }),
  verdict('IMG-UPLOAD-01', 'accepts a file', {
    verdict: 'pass',
    expectations: [{ ...broken, held: true }],
  }),
  verdict('IMG-IMAGE-03', 'generates ids', { verdict: 'observed', observations: ['a UUID'] }),
  verdict('IMG-STATUS-10', 'answers with the statuses of the table', {
    verdict: 'warn',
    expectations: [broken],
  }),
  verdict('IMG-GET-01', 'reads an image', {
    verdict: 'blocked',
    blockedBy: 'IMG-UPLOAD-04',
    reason: 'IMG-UPLOAD-04 is not met',
    reasonCode: 'root-failed',
  }),
  verdict('IMG-GET-02', 'reads it twice', {
    verdict: 'blocked',
    blockedBy: 'IMG-UPLOAD-04',
    reason: 'IMG-UPLOAD-04 is not met',
    reasonCode: 'root-failed',
  }),
  verdict('IMG-BATCH-01', 'uploads there', {
    verdict: 'not covered',
    needs: ['images.batch'],
    reason: 'needs images.batch',
    reasonCode: 'key-missing',
  }),
]

const folders: string[] = []
afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true })))

function report(
  options: {
    reporters?: readonly ReporterName[]
    tty?: boolean
    verbose?: boolean
    isCancelled?: boolean
    given?: Verdict[]
    left?: string[]
    proposals?: string[]
    selected?: string[]
    skipped?: string[]
    strict?: boolean
    unusedAbsent?: string[]
    earlier?: EarlierFailure[]
    crashes?: string[]
    firstFailure?: string
  } = {},
) {
  const {
    reporters = reporterNames,
    tty = false,
    verbose = false,
    isCancelled = false,
    given = verdicts,
    left = [],
    proposals = [],
    selected = [],
    skipped = [],
    strict = false,
    unusedAbsent = [],
    earlier = [],
    crashes = [],
    firstFailure,
  } = options
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-report-'))
  folders.push(folder)
  let printed = ''
  const opened = openReport(
    {
      suite: { name: 'touchstone', version: '0.1.0' },
      target: { images: { url: 'http://t' } },
      targetName: 'http://t',
      startedAt: '2025-01-02T03:04:05.678Z',
      strict,
      seed: 4711,
      planned: given,
      selected,
      skipped,
      repeat: ({ requirement }) => `touchstone test --only ${requirement}`,
      describePath: (path) => [{ name: path, description: 'the batch host' }],
      nameNeeds: (paths) => paths.join(' and '),
      isSet: (path) => path === 'tools.calls',
      readEarlierFailures: () => earlier,
    },
    {
      folder,
      reporters,
      verbose,
      out: { write: (text) => (printed += text), isTTY: tty, columns: 100 },
    },
  )
  for (const one of [...given].reverse()) opened.verdict(one)
  const result = opened.end({
    verdicts: given,
    left,
    proposals,
    protocolVersions: ['2025-11-25'],
    unusedAbsent,
    crashes,
    durationMs: 1234,
    isCancelled,
    firstFailure,
  })
  const file = (name: string) => readFileSync(join(folder, name), 'utf8')
  return { result, printed, folder, file }
}

describe('the console', () => {
  test('groups by topic in the order of the plan, counts, and prints failures in full', () => {
    const { printed, result } = report({ reporters: ['console'] })
    expect(result.exit).toBe(1)
    expect(printed).toMatch(
      /✗ Upload +1 failed, 1 passed\n {4}✗ IMG-UPLOAD-04 {2}refuses a file and a URL together\n[^]*⊘ Reading an image +2 blocked/,
    )
    expect(printed).toContain('    requires  The server refuses an upload')
    expect(printed).toContain('    expected  a refusal\n    received  200  x␛[31m<script>')
    expect(printed).toContain('   (2 times)')
    expect(printed).toContain(
      '    request   differs only in the added field url from a request that the server accepted',
    )
    expect(printed).toContain(
      '    repeat    touchstone test --only IMG-UPLOAD-04\n    or        curl -i',
    )
    expect(printed).toContain(
      '⊘ 2 checks blocked by IMG-UPLOAD-04: the check "refuses a file and a URL together" failed: 200',
    )
    expect(printed).toContain(
      '  First meet the requirements that block these checks. Then --failed',
    )
    expect(printed).toContain(
      '1 check not covered. Missing keys, with the number of checks: images.batch (1). --verbose',
    )
    expect(printed.indexOf('Failures')).toBeGreaterThan(printed.indexOf('Blocked'))
    expect(printed).toContain(
      '1 failed, 1 with a warning, 1 passed, 1 observed, 2 blocked, 1 not covered in 1.2 s',
    )
    expect(printed).toContain('exit 1')
  })

  test('labels findings, and points to the exchanges if no command repeats the failure', () => {
    const found = (label: string) => ({ ...broken, name: `${label}: refused` })
    const failed = verdict('IMG-UPLOAD-04', 'refuses both', {
      verdict: 'fail',
      expectations: [found('GET'), { ...found('PATCH'), expected: 'status 404' }],
      exchanges: [{ ...exchange, isSelfContained: false }],
    })
    const { printed, folder } = report({ reporters: ['console', 'exchanges'], given: [failed] })
    expect(printed).toContain('    case      GET\n    expected  a refusal\n')
    expect(printed).toContain('    case      PATCH\n    expected  status 404\n')
    expect(printed).toContain(
      `    see       ${join(folder, 'exchanges', 'IMG-UPLOAD-04-refuses-both.txt')}\n`,
    )
    expect(printed).not.toContain('curl')
  })

  test('repeats the request of the first finding that can be repeated', () => {
    const found = (number: number, label: string) => ({
      ...broken,
      name: `${label}: refused`,
      expected: `a refusal of ${label}`,
      exchange: number,
    })
    const sent = (number: number, isSelfContained: boolean) => ({
      ...exchange,
      number,
      isSelfContained,
      curl: `curl 'http://t/${number}'`,
    })
    const failed = verdict('IMG-UPLOAD-04', 'refuses both', {
      verdict: 'fail',
      expectations: [found(9, 'DELETE'), found(5, 'PATCH'), found(3, 'GET')],
      exchanges: [sent(3, true), sent(5, true), sent(9, false)],
    })
    const { printed } = report({ reporters: ['console'], given: [failed] })
    expect(printed).toContain("    or        curl 'http://t/5'\n")
  })

  test('reports why an open requirement blocks other checks', () => {
    const blocked = (requirement: RequirementId, reasonCode: ReasonCode, reason: string) =>
      verdict(requirement, 'is greeted', {
        verdict: 'blocked',
        blockedBy: 'GRT-AUTH-03',
        reason,
        reasonCode,
      })
    const { printed } = report({
      reporters: ['console'],
      given: [
        blocked('GRT-SERVICE-01', 'root-failed', 'GRT-AUTH-03 is not met'),
        blocked('GRT-SERVICE-02', 'step-failed', 'the token is wrong'),
        blocked('GRT-AUTH-03', 'root-failed', 'GRT-AUTH-03 is not met'),
      ],
    })
    expect(printed).toContain('⊘ 3 checks blocked by GRT-AUTH-03: the token is wrong')
  })

  test.for([
    [
      'fail',
      'First fix the failures below. If this check is still blocked afterwards, run it with --only IMG-GET-01 --exchanges all, and read its requests in the report folder.',
    ],
    [
      'pass',
      'If the server does not have what this check needs, list its requirement in suite.absent. Otherwise run it with --only IMG-GET-01 --exchanges all, and read its requests in the report folder.',
    ],
  ] as const)(
    'says what to do if the check of the requirement that blocks passed, and another check has the verdict %s',
    ([outcome, advice]) => {
      const { printed } = report({
        reporters: ['console'],
        given: [
          verdict('IMG-UPLOAD-04', 'refuses a file and a URL together', { verdict: 'pass' }),
          verdict('IMG-UPLOAD-05', 'refuses an empty file', { verdict: outcome }),
          verdict('IMG-GET-01', 'returns the image', {
            verdict: 'blocked',
            blockedBy: 'IMG-UPLOAD-04',
            reason: 'no upload. This is unexpected, because the check of IMG-UPLOAD-04 passed',
            reasonCode: 'root-held-alone',
          }),
        ],
      })
      expect(printed.replaceAll(/\s+/g, ' ')).toContain(
        `⊘ 1 check blocked: no upload. This is unexpected, because the check of IMG-UPLOAD-04 passed. ${advice}`,
      )
    },
  )

  test('gives the reason if the key that would help is set already', () => {
    const { printed } = report({
      reporters: ['console'],
      verbose: true,
      given: [
        verdict('TOOL-PAGE-01', 'returns pages', {
          verdict: 'not covered',
          needs: ['tools.calls'],
          reason: 'no call returns an error',
          reasonCode: 'key-helps',
        }),
      ],
    })
    expect(printed).toContain('– 1 check, because no call returns an error (see tools.calls)')
    expect(printed).not.toContain('Set the missing keys')
  })

  test('reports the protocol and the conventions of a tool server, and proposes keys', () => {
    const { printed, file } = report({
      given: [
        verdict('TOOL-MCP-01', 'initializes', { verdict: 'pass' }),
        verdict('TOOL-SERVER-03', 'has a name', { verdict: 'fail', expectations: [broken] }),
        verdict('TOOL-PAGE-01', 'returns pages', {
          verdict: 'not covered',
          needs: ['tools.search'],
          reasonCode: 'key-missing',
        }),
      ],
      proposals: ['tools:', `  resource: "${hostile}"`],
    })
    expect(printed).toContain(
      'MCP 2025-11-25: conformant\nconventions: 1 requirement not met\n--profile mcp',
    )
    expect(printed).toContain('a convention: MCP does not require it')
    expect(printed).toContain('    tools:\n      resource: "x␛[31m<script>')
    expect(file('report.md')).toContain('- **conventions**: 1 requirement not met')
    expect(file('report.html')).toContain('<b>MCP 2025-11-25</b>: conformant')
    expect(file('report.html').match(/<script/g)).toHaveLength(1)
    expect(JSON.parse(file('report.json'))).toMatchObject({
      profiles: [
        { profile: 'mcp', exit: 0 },
        { profile: 'conventions', exit: 1 },
      ],
    })
  })

  test('writes plain lines without a terminal', () => {
    expect(report({ reporters: ['console'] }).printed).not.toMatch(
      /[\u0000-\u0009\u000b-\u001f\u007f]/,
    )
  })

  test('prints only the failure that ended the run, and names the others', () => {
    const failures = ['first', 'second', 'third'].map((title) =>
      verdict('IMG-UPLOAD-04', title, { verdict: 'fail', expectations: [broken] }),
    )
    const { printed } = report({ given: failures, firstFailure: failures[1]!.key })
    expect(printed.split('Failures')[1]).not.toContain('✗ IMG-UPLOAD-04  first')
    expect(printed).toContain('✗ IMG-UPLOAD-04  second\n    requires')
    expect(printed).toContain(
      '2 other checks failed before the run ended: IMG-UPLOAD-04. The report files explain them.',
    )
  })

  test('shortens long words in the middle, but not those of commands', () => {
    const query = `http://t/a?state=${'s'.repeat(400)}&end=1`
    const failed = verdict('IMG-UPLOAD-04', 'refuses', {
      verdict: 'fail',
      expectations: [{ ...broken, received: `a redirect to ${query} at once` }],
      exchanges: [{ ...exchange, curl: `curl '${query}'` }],
    })
    const { printed, file } = report({ given: [failed] })
    expect(printed.replaceAll(/\s+/g, ' ')).toMatch(
      /received a redirect to http:\/\/t\/a\?state=[s ]+…\(\d+ characters\)…[s ]+&end=1 at once/,
    )
    expect(printed).toContain(`curl '${query}'`)
    expect(file('report.json')).toContain(`a redirect to ${query} at once`)
  })

  test('names a standard that requires something else', () => {
    const failed = verdict('AUTH-JWT-04', 'returns 403', {
      verdict: 'fail',
      expectations: [{ ...broken, received: '401' }],
    })
    const { printed } = report({ reporters: ['console'], given: [failed] })
    expect(printed.replaceAll(/\s+/g, ' ')).toContain(
      'note MCP 2025-06-18 › Authorization › Token handling requires status 401',
    )
  })

  test('shows progress on a terminal, and clears it', () => {
    const { printed } = report({ reporters: ['console'], tty: true })
    expect(printed).toContain('7 of 7')
    expect(printed.lastIndexOf('\r\u001b[2K')).toBeGreaterThan(printed.lastIndexOf('7 of 7'))
  })

  test('prints every check and every observation if it is verbose', () => {
    const { printed } = report({ reporters: ['console'], verbose: true })
    for (const { title } of verdicts) expect(printed).toContain(title)
    expect(printed).toContain('a UUID')
  })

  test('prints checks without a result together if it is verbose', () => {
    const reason = 'the authentication pattern of the server is none'
    const given = [
      ...(['AUTH-JWT-01', 'AUTH-JWT-02', 'AUTH-CONSENT-01'] as const).map((id) =>
        verdict(id, `needs a pattern ${id}`, { verdict: 'not applicable', reason }),
      ),
      verdict('TOOL-NAME-01', 'has a name', { verdict: 'pass' }),
      ...(['TOOL-NAME-02', 'TOOL-NAME-03', 'TOOL-NAME-05'] as const).map((id) =>
        verdict(id, `needs tools ${id}`, { verdict: 'not applicable', reason: 'no tools' }),
      ),
      verdict('TOOL-NAME-04', 'needs other tools', { verdict: 'not applicable', reason: 'others' }),
    ]
    const { printed } = report({ reporters: ['console'], verbose: true, given })
    expect(printed.split(reason)).toHaveLength(2)
    expect(printed).toMatch(/· auth: 3 not applicable, because the authentication .*\n {4}.*\(2\)/)
    expect(printed).toContain(
      '    · 3 checks not applicable: no tools\n        TOOL-NAME-02 TOOL-NAME-03 TOOL-NAME-05\n',
    )
    expect(printed).toContain('    · TOOL-NAME-04  needs other tools')
  })

  test.each([
    [{ selected: ['--only IMG-UPLOAD'] }, 'selected checks: conformant'],
    [{ skipped: ['IMG-GET'] }, 'selected checks: conformant'],
    [{}, 'conformant'],
  ])('says if only a part of the checks was selected: %j', (options, meaning) => {
    const given = [verdict('IMG-UPLOAD-01', 'accepts a file', { verdict: 'pass' })]
    const { printed, file } = report({ given, ...options })
    expect(printed).toContain(`\n${meaning}  exit 0\n`)
    expect(file('report.html')).toContain(`<p class="meaning pass">${meaning}</p>`)
    expect(file('report.md').toLowerCase()).toContain(`# ${meaning}\n`)
  })

  const inapplicable = verdict('IMG-BATCH-01', 'uploads there', { verdict: 'not applicable' })
  const observed = verdict('IMG-IMAGE-03', 'generates ids', {
    verdict: 'observed',
    observations: ['a UUID'],
  })
  const blockedAdvice = verdict('IMG-LIST-06', 'is advised', {
    verdict: 'blocked',
    blockedBy: 'IMG-GET-01',
    reasonCode: 'root-failed',
  })
  test.each<[given: Verdict[], selected: string[], meaning: string]>([
    [[inapplicable], ['--only IMG'], 'no selected check applies to this server'],
    [[inapplicable], [], 'no check applies to this server'],
    [[inapplicable, observed], ['--only IMG'], 'the selected checks only observe choices'],
    [
      [{ ...blockedAdvice, reasonCode: 'root-known' }],
      ['--only IMG-LIST-06'],
      'a known failure blocks the checks',
    ],
  ])('says that nothing was judged, with the exit status 0: %#', (given, selected, reason) => {
    const { printed, file } = report({
      reporters: ['console', 'html', 'markdown'],
      given,
      selected,
    })
    const meaning = `nothing was judged: ${reason}`
    expect(printed).toContain(`\n${meaning}  exit 0\n`)
    expect(file('report.html')).toContain(`<p class="meaning warn">${meaning}</p>`)
    expect(file('report.md').toLowerCase()).toContain(`# ${meaning}\n`)
  })

  test('says that a known failure blocks the checks', () => {
    const blocked = verdict('IMG-LIST-01', 'lists', {
      verdict: 'blocked',
      blockedBy: 'IMG-GET-01',
      reason: 'a step failed',
      reasonCode: 'root-known',
    })
    const print = (...given: Verdict[]) =>
      report({ reporters: ['console'], given, selected: ['--only IMG-LIST'] }).printed
    const printed = print(blocked)
    expect(printed).toContain('1 check blocked by IMG-GET-01: a known failure; a step failed\n')
    expect(printed).toContain(
      '\nselected checks: no violation found, but 1 requirement blocked by a known failure  exit 0\n',
    )
    const open = verdict('IMG-LIST-02', 'sorts', { verdict: 'not covered' })
    expect(print(blocked, open)).toContain('but 2 requirements not covered  exit 0\n')
  })

  test('blocked checks alone give the exit status 3', () => {
    const { printed } = report({
      reporters: ['console'],
      given: [blockedAdvice, inapplicable],
      selected: ['--level should'],
    })
    expect(printed).toContain(
      '\nno result: no check could run, because a basic operation does not work  exit 3\n',
    )
  })

  test('a failure in a part of the checks is a failure', () => {
    const { printed } = report({ reporters: ['console'], selected: ['--only IMG'] })
    expect(printed).toContain('\nnot conformant: 1 requirement not met')
  })

  test('lists what could not be deleted, even if the run was cancelled', () => {
    const { printed, result } = report({
      reporters: ['console'],
      isCancelled: true,
      left: ['image ts-1'],
    })
    expect(result.exit).toBe(130)
    expect(printed).toMatch(/Left on the server[^]*image ts-1/)
    expect(printed).not.toContain('Not covered\n')
  })

  test('says how many checks are not covered because the run was cancelled', () => {
    const cancelled = (requirement: RequirementId) =>
      verdict(requirement, 'runs late', { verdict: 'not covered', reasonCode: 'cancelled' })
    const missing = verdict('TOOL-PAGE-01', 'returns pages', {
      verdict: 'not covered',
      needs: ['tools.search'],
      reasonCode: 'key-missing',
    })
    const print = (given: Verdict[]) =>
      report({ reporters: ['console'], isCancelled: true, given }).printed.replaceAll(/\s+/g, ' ')
    expect(print([cancelled('IMG-GET-01'), cancelled('IMG-GET-02')])).toContain(
      '2 checks not covered, because the run was cancelled.',
    )
    expect(print([cancelled('IMG-GET-01'), missing])).toContain(
      '2 checks not covered: 1 because the run was cancelled; the report files give the reason for the other.',
    )
  })

  test('uses the singular for one check without a result', () => {
    const print = (given: Verdict[]) => report({ reporters: ['console'], given }).printed
    const missing = verdicts.at(-1)!
    expect(print([verdicts[1]!, missing])).toContain('--verbose explains it.')
    expect(print([verdicts[1]!, missing, missing])).toContain('--verbose explains them.')
  })

  test('says that --bail ended the run, and how many checks have no result', () => {
    const cancelled = (title: string) =>
      verdict('IMG-GET-01', title, { verdict: 'not covered', reasonCode: 'cancelled' })
    const given = [...verdicts, cancelled('one')]
    const print = (all: Verdict[]) => report({ reporters: ['console'], given: all }).printed
    expect(print(given)).toContain('The run ended after the first failure (--bail): 1 check has no')
    expect(print([...given, cancelled('two')])).toContain('(--bail): 2 checks have no result.')
    expect(print(verdicts)).not.toContain('--bail')
  })

  test.each<[reason: ReasonCode | undefined, isKept: boolean]>([
    ['cancelled', true],
    ['unreachable', true],
    ['rate-limited', true],
    ['key-missing', false],
    ['no-message', false],
    [undefined, false],
  ])('after a verdict with the reason %s, an earlier failure is kept: %s', (reason, isKept) => {
    const now = verdict('IMG-GET-01', 'reads an image', {
      verdict: reason === undefined ? 'pass' : 'not covered',
      ...(reason === undefined ? {} : { reasonCode: reason }),
    })
    const blocked: EarlierFailure = { key: 'IMG-GET-02 reads it twice', verdict: 'blocked' }
    const { result, printed } = report({
      reporters: ['console'],
      given: [now],
      earlier: [{ key: now.key, verdict: 'fail' }, blocked],
    })
    expect(result.earlierFailures?.map(({ key }) => key)).toEqual([
      ...(isKept ? [now.key] : []),
      blocked.key,
    ])
    expect(printed).toContain(
      `Checks of earlier runs without a new result: ${isKept ? '1 failed, ' : ''}1 blocked. --failed`,
    )
  })

  test('prints at most ten lines about what could not be deleted', () => {
    const left = Array.from({ length: 53 }, (_, index) => `DELETE /images/${index} returned 500`)
    const { printed } = report({ reporters: ['console'], left })
    expect(printed.match(/DELETE \S+ returned 500/g)).toEqual(left.slice(0, 10))
    expect(printed).toContain('  and 43 more, in the report files\n')
  })
})

describe('the files', () => {
  const { file, folder } = report()

  test('report.json conforms to its schema', () => {
    const schema = JSON.parse(
      readFileSync(new URL('../../specs/json-schema/report.json', import.meta.url), 'utf8'),
    ) as { $defs: { verdict: { properties: { reasonCode: { enum: string[] } } } } }
    const validate = new Ajv2020({ allowUnionTypes: true }).compile(schema)
    expect(schema.$defs.verdict.properties.reasonCode.enum).toEqual(reasonCodes)
    expect(validate(JSON.parse(file('report.json'))), JSON.stringify(validate.errors)).toBe(true)
    expect(JSON.parse(file('report.json'))).toMatchObject({ totals: { fail: 1, pass: 1 }, exit: 1 })
    expect(validate({})).toBe(false)
  })

  test('junit.xml is well-formed, whatever the target wrote', () => {
    const xml = file('junit.xml')
    expect(xml).toContain(
      '<testsuites name="touchstone" tests="7" failures="1" errors="0" skipped="3"',
    )
    expect(xml).toContain('<skipped message="blocked: IMG-UPLOAD-04 is not met"/>')

    expect(xml).not.toMatch(
      /[\u0000-\u0008\u000b\u000c\u000e-\u001f]|<script|&(?!amp;|lt;|gt;|quot;|#10;)/,
    )
    const open: string[] = []
    for (const [, close, name, inner] of xml.matchAll(
      /<(\/?)([a-z-]+)((?:\s+[a-z]+="[^"<]*")*\s*\/?)>/g,
    )) {
      if (inner!.endsWith('/')) continue
      if (close === '') open.push(name!)
      else expect(open.pop()).toBe(name)
    }
    expect(open).toEqual([])
  })

  test('the HTML report needs no other files, and contains only its own script', () => {
    const html = file('report.html')
    expect(html.match(/<script/g)).toHaveLength(1)
    expect(html).not.toMatch(/src=|href="[^#]|url\(/)
    expect(html).toContain('&lt;script&gt;')
    expect(html).toContain('refuses a file and a URL together')
  })

  test('exchanges/ contains the requests and responses of failures and warnings', () => {
    expect(readdirSync(join(folder, 'exchanges'))).toEqual([
      'IMG-STATUS-10-answers-with-the-statuses-of-the-table.txt',
      'IMG-UPLOAD-04-refuses-a-file-and-a-url-together.txt',
    ])
    expect(file('exchanges/IMG-UPLOAD-04-refuses-a-file-and-a-url-together.txt')).toMatch(
      /POST http:\/\/t\/images\/v1\nAuthorization: Bearer \$IMAGES_TOKEN\n\nurl=http:\/\/p\n\n→ 200\n/,
    )
  })

  test('the Markdown report contains the totals of each topic and the missing keys', () => {
    const markdown = file('report.md')
    expect(markdown).toContain('| Upload | 1 |')
    expect(markdown).toContain('- images.batch (the batch host): 1 check, IMG-BATCH-01')
  })
})

test('exchanges without HTTP are shown without a status', () => {
  const line = {
    ...exchange,
    request: { ...exchange.request, method: 'stdio', url: 'node server.js' },
    response: { status: 0, headers: [], body: '{"id":1}' },
  }
  const { file } = report({ given: [{ ...verdicts[0]!, exchanges: [line] }] })
  expect(file('exchanges/IMG-UPLOAD-04-refuses-a-file-and-a-url-together.txt')).toContain(
    '\n→ received\n\n{"id":1}',
  )
  expect(file('report.html')).toContain('→ received')
})

test('a run without verdicts is an error, never a success', () => {
  expect(report({ given: [], reporters: [] }).result.exit).toBe(3)
})

describe('what the server does not have', () => {
  const suggested = [
    'If the server does not have some of this, copy its lines to the target file, and replace each … with the reason:',
    'suite:',
    '  absent:',
    '    IMG-BATCH: … # 1 check',
  ]

  test('is suggested as lines of the target file, if the run is strict or verbose', () => {
    for (const options of [{ strict: true }, { verbose: true }])
      expect(report({ reporters: ['console'], ...options }).printed).toContain(
        suggested.map((line, index) => `${index === 0 ? '  ' : '    '}${line}`).join('\n'),
      )
    expect(report({ reporters: ['console'] }).printed).not.toContain('absent:')
    const { file } = report()
    expect(file('report.html')).toContain(`<pre>${suggested.slice(1).join('\n')}</pre>`)
  })

  const batch = (title: string, rest: Partial<Verdict> = {}) =>
    verdict('IMG-BATCH-01', title, {
      verdict: 'not covered',
      needs: ['images.batch'],
      reason: 'needs images.batch',
      reasonCode: 'key-missing',
      ...rest,
    })

  test('is suggested as a key or a requirement if a part of the feature is covered', () => {
    const noMessage: Partial<Verdict> = {
      needs: [],
      reason: 'no message',
      reasonCode: 'no-message',
    }
    const given = [
      batch('uploads there'),
      batch('lists there'),
      batch('is reached', { needs: ['suite.pictures'] }),
      batch('needs one of two', { needs: ['tools.calls', 'a.b'], reasonCode: 'key-helps' }),
      batch('receives nothing', noMessage),
      batch('was cancelled', { needs: [], reasonCode: 'cancelled' }),
      verdict('IMG-BATCH-02', 'passes', { verdict: 'pass' }),
    ]
    const linesOf = (all: Verdict[]) =>
      /absent:\n([^]*?)\n\n/.exec(report({ strict: true, given: all }).printed)?.[1]
    expect(linesOf(given)).toBe(
      ['        IMG-BATCH-01: … # 3 checks', '        images.batch: … # 2 checks'].join('\n'),
    )
    // The failure may be the reason why no message was received.
    const failed = verdict('IMG-BATCH-03', 'fails', { verdict: 'fail', expectations: [broken] })
    expect(linesOf([...given, failed])).toContain('IMG-BATCH-01: … # 2 checks')
    const passed = verdict('IMG-BATCH-01', 'stores', { verdict: 'pass' })
    expect(linesOf([...given, passed])).toContain('IMG-BATCH-01: … # 3 checks; 1 other passes')
  })

  test('is shown with its reason for single checks too, in every report', () => {
    const reason = 'suite.absent lists IMG-BATCH-01: we have none'
    const given = [
      batch('uploads there', { verdict: 'not applicable', reason, reasonCode: 'declared-absent' }),
      verdict('IMG-BATCH-02', 'passes', { verdict: 'pass' }),
    ]
    const { printed, file } = report({ given })
    expect(printed).toMatch(/✓ Batch.* 1 passed, 1 not applicable/)
    expect(printed).toMatch(new RegExp(`· .*: 1 not applicable, because ${reason}`))
    expect(file('report.md')).toContain(`## Not applicable\n\n- ${reason}: 1 check, IMG-BATCH-01`)
    expect(file('report.html')).toMatch(
      new RegExp(`<h2 id="not-applicable-heading">Not applicable</h2>[^]*${reason}`),
    )
  })

  test('is reported if it has no effect', () => {
    const { printed, file } = report({ unusedAbsent: ['IMG-BATCH', 'images.clock'] })
    const warning =
      'Without effect in suite.absent: IMG-BATCH, images.clock. The checks that they name have other results, or do not belong to this target. Remove them.'
    expect(printed.replaceAll('\n  ', ' ')).toContain(`! ${warning}`)
    expect(file('report.md')).toContain(`! ${warning}`)
    expect(file('report.html')).toContain(warning)
    expect(JSON.parse(file('report.json'))).toMatchObject({
      unusedAbsent: ['IMG-BATCH', 'images.clock'],
    })
    expect(report().printed).not.toContain('Without effect')
  })
})

describe('GitHub Actions', () => {
  const failed = verdict('IMG-UPLOAD-04', 'refuses: a file, and a URL', {
    verdict: 'fail',
    expectations: [{ ...broken, received: '100%\nof\u0007 it' }],
  })

  test('prints annotations, and escapes what the target wrote', () => {
    const { printed } = report({ reporters: ['github'], given: [failed] })
    expect(printed).toBe(
      '::error title=touchstone test::not conformant: 1 requirement not met (exit 1)\n' +
        '::error title=IMG-UPLOAD-04 refuses%3A a file%2C and a URL::expected a refusal; received 100%25%0Aof␇ it\n',
    )
  })

  test('adds the report to the summary of the step', () => {
    const folder = mkdtempSync(join(tmpdir(), 'touchstone-report-'))
    folders.push(folder)
    const file = join(folder, 'summary.md')
    writeFileSync(file, 'before\n')
    vi.stubEnv('GITHUB_STEP_SUMMARY', file)
    report({ reporters: ['github'], given: [failed] })
    expect(readFileSync(file, 'utf8')).toMatch(/^before\n# Not conformant: 1 requirement not met\n/)
    vi.unstubAllEnvs()
  })

  const open = { verdict: 'not covered' as const, reason: 'needs x', needs: ['x'] }
  const old = { id: 'IMG-GET-02', reason: 'issue 318' }
  const passed = verdict('IMG-UPLOAD-01', 'accepts a file', { verdict: 'pass' })
  test.each<[string, Verdict[], RegExp]>([
    [
      'a must that is not covered',
      [passed, verdict('IMG-BATCH-01', 'uploads there', { ...open, reasonCode: 'key-missing' })],
      /--strict requires all to be covered: 1 requirement not covered; set its keys.* \(exit 2\)\n$/,
    ],
    [
      'a known failure that no longer fails',
      [verdict('IMG-GET-02', 'reads it twice', { verdict: 'stale', expectedFailure: old })],
      /the list of known failures is out of date: 1 entry no longer fails \(exit 1\)%0ARemove the entry from the list, or let --write-expected remove it\.\n::error title=IMG-GET-02/,
    ],
    [
      'no result',
      [
        verdict('IMG-GET-02', 'reads it twice', {
          ...{ verdict: 'not covered', reasonCode: 'unreachable', reason: 'connection refused' },
        }),
      ],
      /no result: connection refused \(exit 3\)\n$/,
    ],
    [
      'checks that are only blocked',
      [
        passed,
        verdict('IMG-GET-01', 'reads an image', {
          ...{ verdict: 'blocked', blockedBy: 'IMG-UPLOAD-04', reasonCode: 'root-failed' },
        }),
      ],
      /not conformant: the checks could not run.* \(exit 1\)\n$/,
    ],
  ])('names the reason of a failed job: %s', (_, given, expected) => {
    const { printed } = report({ reporters: ['github'], strict: true, given })
    expect(printed).toMatch(/^::error title=touchstone test::/)
    expect(printed).toMatch(expected)
  })

  test('names an error of the suite', () => {
    const { printed } = report({ reporters: ['github'], given: [passed], crashes: ['it fell'] })
    expect(printed).toBe(
      '::error title=touchstone test::no result: the suite itself failed (exit 3)%0Ait fell\n',
    )
  })

  test('names a cancelled run, and prints nothing about a run that succeeds', () => {
    const cancelled = report({ reporters: ['github'], given: [passed], isCancelled: true })
    expect(cancelled.printed).toBe('::error title=touchstone test::cancelled (exit 130)\n')
    expect(report({ reporters: ['github'], given: [passed] }).printed).toBe('')
  })

  test('prints at most ten annotations of each kind', () => {
    const given = Array.from({ length: 12 }, (_, number) => ({ ...failed, key: `${number}` }))
    expect(
      report({ reporters: ['github'], given })
        .printed.trim()
        .split('\n').length,
    ).toBe(10)
  })
})

test('every report contains the known failures, and those that no longer fail', () => {
  const { printed, file, result } = report({
    given: [
      verdict('IMG-UPLOAD-04', 'refuses a file and a URL together', {
        verdict: 'known',
        expectations: [broken],
        expectedFailure: { id: 'IMG-UPLOAD', reason: 'issue <318>', until: '2026-12-31' },
      }),
      verdict('IMG-UPLOAD-01', 'accepts a file', {
        verdict: 'stale',
        expectedFailure: { id: 'IMG-UPLOAD-01', reason: 'was broken' },
      }),
    ],
  })
  expect(result.exit).toBe(1)
  expect(printed).toContain('○ IMG-UPLOAD  1 check: until 2026-12-31: issue <318>')
  expect(printed).toContain('● IMG-UPLOAD-01  1 check: was broken')
  expect(file('report.md')).toContain('- IMG-UPLOAD: 1 check, until 2026-12-31: issue \\<318\\>')
  expect(file('report.html')).toContain('until 2026-12-31: issue &lt;318&gt;')
  expect(file('junit.xml')).toContain('failures="1" errors="0" skipped="1"')
  expect(file('junit.xml')).toContain('IMG-UPLOAD-01 is expected to fail (was broken), but passes')
})

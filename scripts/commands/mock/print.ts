import { shellWord } from '../../../conformance/wire/shell.ts'
import {
  mockOf,
  type Example,
  type Running,
  type StartedMocks as Started,
} from '../../../mocks/registry.ts'
import type { Seeded } from './run.ts'
import { targetOf } from './target-file.ts'

interface Printed {
  /** The file of the authority that clients must trust. */
  caFile: string | undefined
  /** What --seed has added. */
  seeded: Seeded | undefined
}

/**
 * Returns one line of JSON: the id of this process, all mocks, the file of the authority that
 * clients must trust, and a target file with which the suite tests them.
 */
export function asJson(started: Started, { caFile, seeded }: Printed): string {
  const entries = [...started].map(
    ([name, { kind, urls, identifiers, tokens }]) =>
      [name, { kind, urls, ...identifiers, tokens }] as const,
  )
  const output = {
    pid: process.pid,
    mocks: Object.fromEntries(entries),
    ...(caFile === undefined ? {} : { ca: caFile }),
    ...(seeded === undefined ? {} : { seed: seeded }),
    target: targetOf(started),
  }
  return `${JSON.stringify(output)}\n`
}

/**
 * Returns the URLs and tokens of the mocks, and commands to paste: one that calls each mock, and
 * one that tests all of them with the target file. Fits a terminal of 80 columns and 24 lines.
 */
export function asText(
  started: Started,
  { targetFile, caFile, seeded }: Printed & { targetFile: string | undefined },
): string {
  const lines = started.size === 1 ? describeOne(started) : describeSeveral(started)
  return [
    ...lines,
    ...(seeded === undefined ? [] : [formatSeeded(seeded)]),
    ...controlLines(started),
    'Ctrl-C stops it. Commands to paste:',
    ...[...started.values()].map((mock) => formatExample(mock.example(started), caFile)),
    ...(targetFile === undefined ? [] : [testCommand(started, targetFile, caFile)]),
    '',
  ].join('\n')
}

const formatSeeded = (seeded: Seeded): string =>
  `seed  ${Object.entries(seeded)
    .map(([kind, count]) => `${count} ${count === 1 ? kind.slice(0, -1) : kind}`)
    .join(', ')}`

/** Describes a mock that is started alone, with everything that is known about it. */
function describeOne(started: Started): string[] {
  const [[name, mock]] = [...started] as [[string, Running]]
  const { kind, identifiers, notes } = mock
  const summary =
    mock.summary ??
    (kind === 'contract'
      ? 'stateless mock: examples from the OpenAPI document'
      : 'stateful mock: stores what clients send until it stops')
  const rows = rowsOf(mock)
  const details = [...Object.entries(identifiers), ...notes]
  return [
    `${mockOf(name).title}, ${summary}`,
    ...aligned([['host', 'base URL', 'token'], ...rows]),
    '',
    ...aligned(details),
    ...(details.length > 0 ? [''] : []),
  ]
}

/** Describes several mocks: one line for each server, and credentials that are in no such line. */
function describeSeveral(started: Started): string[] {
  const rows = [...started].flatMap(([name, mock]) =>
    joinOrigins(rowsOf(mock)).map(([host, url, token]) => [
      name,
      host,
      url,
      mock.identifiers['project'] === undefined
        ? token
        : `${token}, project ${mock.identifiers['project']}`,
    ]),
  )
  const details = [...started].flatMap(([name, { notes }]) =>
    notes
      .filter(([heading, text]) => isCredential(heading, text))
      .map(([heading, text]) => [name, heading, text]),
  )
  return [...aligned(rows), ...aligned(details)]
}

/** The paths of the mocks that belong to no contract. docs/mocking.md describes them. */
function controlLines(started: Started): string[] {
  const hasReset = [...started.keys()].some((name) => name !== 'greeting')
  const paths = [...started.values()].flatMap(({ control = [] }) => control)
  const listed = [...(hasReset ? ['reset'] : []), ...new Set(paths)]
  if (listed.length === 0) return []
  // With all mocks, a longer line does not fit a screen.
  const more = started.size === 1 ? ' (docs/mocking.md)' : ''
  return [`/_touchstone/…  ${listed.join(', ')}${more}`]
}

const isCredential = (heading: string, text: string): boolean =>
  ['limited token', 'secret', 'introspect', 'identity'].includes(heading) ||
  text.includes('password')

/** Longer tokens are shown in the command only. */
const maxTokenLength = 24

/** The hosts of a mock, with their URLs and tokens. */
const rowsOf = ({ urls, tokens, tokenOf, usesOAuth = false }: Running): Row[] =>
  Object.entries(urls).map(([host, url]) => {
    const token = tokens[tokenOf[host] ?? ''] ?? (usesOAuth ? 'OAuth' : 'none')
    return [host, url, token.length > maxTokenLength ? 'in the command below' : token]
  })

type Row = [host: string, url: string, token: string]

/** Joins servers that have the same origin, such as both transports of the tool server. */
function joinOrigins(rows: readonly Row[]): Row[] {
  const joined: Row[] = []
  for (const [host, url, token] of rows) {
    const last = joined.at(-1)
    if (last !== undefined && url.startsWith('http') && new URL(url).origin === originOf(last)) {
      last[0] += `, ${host}`
      last[1] += `, ${new URL(url).pathname}`
    } else joined.push([host, url, token])
  }
  return joined
}

const originOf = ([, url]: Row): string | undefined =>
  URL.canParse(url) ? new URL(url).origin : undefined

/** Aligns the columns of a table. */
function aligned(rows: readonly string[][]): string[] {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  )
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}

/** The command that tests the mocks. Node.js reads the authority for HTTPS from a variable. */
function testCommand(started: Started, targetFile: string, caFile: string | undefined): string {
  const usesHttps = [...started.values()].some(({ urls }) =>
    Object.values(urls).some((url) => url.startsWith('https:')),
  )
  return [
    ...(caFile !== undefined && usesHttps ? [`NODE_EXTRA_CA_CERTS=${shellWord(caFile)}`] : []),
    `npx touchstone test --target ${shellWord(targetFile)}`,
  ].join(' ')
}

/** A command that calls the mock. */
function formatExample(example: Example, caFile: string | undefined): string {
  if ('command' in example) return [example.command, ...example.args].map(shellWord).join(' ')
  const { url, headers, json, form = {}, hasNoBody = false } = example
  const headerOptions = Object.entries(headers).map(
    ([name, value]) =>
      `-H ${shellWord(/\s/.test(value) ? `${name}: ${value}` : `${name}:${value}`)}`,
  )
  return [
    'curl',
    ...(caFile !== undefined && url.startsWith('https:') ? ['--cacert', shellWord(caFile)] : []),
    ...(hasNoBody ? ['-i'] : []),
    ...headerOptions,
    ...(json === undefined ? [] : [`-d ${shellWord(JSON.stringify(json))}`]),
    ...Object.entries(form).map(
      // curl encodes only what follows the first equals sign.
      ([name, value]) =>
        `${/^[\w.:/-]*$/.test(value) ? '-d' : '--data-urlencode'} ${shellWord(`${name}=${value}`)}`,
    ),
    shellWord(url),
  ].join(' ')
}

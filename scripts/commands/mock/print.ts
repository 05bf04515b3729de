import { shellWord } from '../../../conformance/wire/shell.ts'
import { flagOf } from '../../../conformance/target-file/index.ts'
import { kinds } from '../../../conformance/target-file/kinds.ts'
import { keys } from '../../../conformance/target.ts'
import { mockOf, type Running } from '../../../mocks/registry.ts'

/** Returns one line of JSON: all mocks, and a target file with which the suite tests them. */
export function asJson(started: ReadonlyMap<string, Running>): string {
  const entries = [...started].map(
    ([name, { kind, urls, identifiers, tokens }]) =>
      [name, { kind, urls, ...identifiers, tokens }] as const,
  )
  const target = Object.fromEntries(
    [...started].flatMap(([name, { target: section }]) =>
      section === undefined ? [] : [[name, section]],
    ),
  )
  return `${JSON.stringify({ mocks: Object.fromEntries(entries), target })}\n`
}

/** Returns a table of URLs and tokens, and commands to paste. */
export function asText(started: ReadonlyMap<string, Running>): string {
  return `${[...started].map(([name, mock]) => describeMock(name, mock)).join('\n')}\nCtrl-C stops it.\n`
}

function describeMock(name: string, mock: Running): string {
  const { kind, urls, identifiers, tokens, tokenOf, notes } = mock
  const summary =
    mock.summary ??
    (kind === 'contract'
      ? 'stateless mock: examples from the OpenAPI document'
      : 'stateful mock: stores what clients send until it stops')
  const rows = Object.entries(urls).map(([host, url]) => [
    host,
    url,
    tokens[tokenOf[host] ?? ''] ?? 'none',
  ])
  const details = [...Object.entries(identifiers), ...notes]
  return [
    `${mockOf(name).title}, ${summary}`,
    '',
    ...aligned([['host', 'base URL', 'token'], ...rows]),
    '',
    ...aligned(details),
    ...(details.length > 0 ? [''] : []),
    'Try it:',
    `  ${'command' in mock.example ? [mock.example.command, ...mock.example.args.map(shellWord)].join(' ') : curl(mock.example)}`,
    ...(mock.target === undefined
      ? []
      : ['Test it:', `  touchstone test ${flagsFor(name, mock.target).join(' \\\n    ')}`]),
    '',
  ].join('\n')
}

function aligned(rows: readonly string[][]): string[] {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  )
  return rows.map((row) =>
    `  ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('   ')}`.trimEnd(),
  )
}

function curl({ url, headers, json }: Extract<Running['example'], { url: string }>): string {
  const headerOptions = Object.entries(headers).map(
    ([name, value]) => `-H ${shellWord(`${name}: ${value}`)}`,
  )
  return [
    'curl',
    ...headerOptions,
    ...(json === undefined ? [] : [`-d ${shellWord(JSON.stringify(json))}`]),
    shellWord(url),
  ].join(' ')
}

/** Returns a section of a target file as options of `touchstone test`. */
export function flagsFor(path: string, value: unknown): string[] {
  const kind = keys.find((key) => key.path === path)?.kind
  const isGroup = kind === undefined && typeof value === 'object' && value !== null
  return isGroup
    ? Object.entries(value).flatMap(([key, member]) => flagsFor(`${path}.${key}`, member))
    : [`${flagOf(path)} ${shellWord(argumentFor(kind, value))}`]
}

/** Formats a value so that the command line accepts it for a key of this kind. */
function argumentFor(kind: keyof typeof kinds | undefined, value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value)
  if (kind === 'map')
    return Object.entries(value)
      .map((pair) => pair.join('='))
      .join(',')
  if (kind === 'words') return (value as readonly string[]).join(',')
  return JSON.stringify(value)
}

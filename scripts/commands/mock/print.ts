import { shellWord } from '../shell.ts'
import { flagOf } from '../../../conformance/target-file/index.ts'
import { keys } from '../../../conformance/target.ts'
import { mockOf, type Running } from '../../../mocks/registry.ts'

/** One line of JSON: all mocks, and a target file with which the suite judges them. */
export function asJson(started: ReadonlyMap<string, Running>): string {
  const shown = [...started].map(
    ([name, { kind, urls, identifiers: owns, tokens }]) =>
      [name, { kind, urls, ...owns, tokens }] as const,
  )
  const target = Object.fromEntries(
    [...started].flatMap(([name, { target: section }]) =>
      section === undefined ? [] : [[name, section]],
    ),
  )
  return `${JSON.stringify({ mocks: Object.fromEntries(shown), target })}\n`
}

/** Addresses and tokens as a table, and lines to paste. */
export function asText(started: ReadonlyMap<string, Running>): string {
  return `${[...started].map(([name, mock]) => described(name, mock)).join('\n')}\nCtrl-C ends it.\n`
}

function described(name: string, mock: Running): string {
  const { kind, urls, identifiers: owns, tokens, tokenOf, notes } = mock
  const words =
    mock.summary ??
    (kind === 'contract'
      ? 'contract mock: answers from the documents, remembers nothing'
      : 'stateful mock: remembers until it ends')
  const rows = Object.entries(urls).map(([host, url]) => [
    host,
    url,
    tokens[tokenOf[host] ?? ''] ?? 'none',
  ])
  const further = [...Object.entries(owns), ...notes]
  return [
    `${mockOf(name).title}, ${words}`,
    '',
    ...aligned([['host', 'base URL', 'token'], ...rows]),
    '',
    ...aligned(further),
    ...(further.length > 0 ? [''] : []),
    'Try it:',
    `  ${'command' in mock.example ? [mock.example.command, ...mock.example.args.map(shellWord)].join(' ') : curl(mock.example)}`,
    ...(mock.target === undefined
      ? []
      : ['Judge it:', `  touchstone test ${flags(name, mock.target).join(' \\\n    ')}`]),
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
  const given = Object.entries(headers).map(
    ([name, value]) => `-H ${shellWord(`${name}: ${value}`)}`,
  )
  return [
    'curl',
    ...given,
    ...(json === undefined ? [] : [`-d ${shellWord(JSON.stringify(json))}`]),
    shellWord(url),
  ].join(' ')
}

/** A section of a target file as flags of the test command. */
function flags(path: string, value: unknown): string[] {
  const kind = keys.find((key) => key.path === path)?.kind
  if (kind === 'object' || kind === 'texts' || kind === 'fields')
    return [`${flagOf(path)} ${shellWord(JSON.stringify(value))}`]
  if (kind === 'map')
    return [
      `${flagOf(path)} ${shellWord(
        Object.entries(value as object)
          .map((pair) => pair.join('='))
          .join(','),
      )}`,
    ]
  if (Array.isArray(value)) return [`${flagOf(path)} ${shellWord(value.join(','))}`]
  if (typeof value !== 'object' || value === null)
    return [`${flagOf(path)} ${shellWord(String(value))}`]
  return Object.entries(value).flatMap(([key, member]) => flags(`${path}.${key}`, member))
}

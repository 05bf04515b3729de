import { preview, type ReportFinding } from './finding.ts'

const toolName = /^[a-z][a-z0-9]*(_[a-z0-9]+){2,}$/
const serverForm = /^[a-z][a-z0-9]*(_[a-z0-9]+)*_mcp$/

/** What many names begin with that have no service; some but not all names beginning with one share no service. */
const actions = new Set([
  'add',
  'create',
  'delete',
  'fetch',
  'find',
  'get',
  'list',
  'read',
  'remove',
  'search',
  'send',
  'set',
  'show',
  'update',
  'write',
])

/** A tool's name and where it stands. */
export interface NamedTool {
  readonly name: string
  readonly path: string
  readonly note: ReportFinding
}

/** The parts of a name, in whatever way it joins them. */
const wordsOf = (name: string): string[] =>
  name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((part) => part !== '')

/** Judges the names of all tools: their form, and that they begin with one service, that of the server where its name is known. */
export function judgeNames(
  tools: readonly NamedTool[],
  serverName: string | undefined,
  noteAll: ReportFinding,
  listPath: string,
): void {
  const service =
    serverName !== undefined && serverForm.test(serverName)
      ? wordsOf(serverName).slice(0, -1)
      : undefined
  const prefix = prefixOf(tools, service)
  const meant = service ?? prefix
  for (const tool of tools) judgeForm(tool, meant)
  judgeDuplicates(tools)
  for (const { name, path, note } of tools) {
    if (prefix.length > 0 && !startsWith(wordsOf(name), prefix))
      note(
        'prefix',
        path,
        `does not begin with ${prefix.join('_')}_, as others do`,
        `call it ${suggestName(name, prefix)}`,
      )
  }
  if (prefix.length === 0 && tools.length > 1) {
    noteAll(
      'prefix',
      listPath,
      'has names that begin with no service that most of them share',
      `begin all names with ${service === undefined ? 'the name of the service' : `${service.join('_')}_`}`,
    )
  }
  if (service !== undefined && prefix.length > 0 && !startsWith(prefix, service)) {
    noteAll(
      'service',
      listPath,
      `has no tool that begins with ${service.join('_')}_, the service that the server ${preview(serverName)} is named for, but with ${prefix.join('_')}_`,
      `begin all names with ${service.join('_')}_, or call the server ${prefix.join('_')}_mcp`,
    )
  }
}

/** The service that tools begin with: the server's if any tool does, else the first part that more than half of them have; none where there is no such part. */
function prefixOf(
  tools: readonly NamedTool[],
  service: readonly string[] | undefined,
): readonly string[] {
  const all = tools.map(({ name }) => wordsOf(name))
  if (service !== undefined && all.some((parts) => startsWith(parts, service))) return service
  const counts = new Map<string, number>()
  for (const [first] of all)
    if (first !== undefined) counts.set(first, (counts.get(first) ?? 0) + 1)
  const [most] = [...counts].sort(([, one], [, other]) => other - one)
  if (
    most === undefined ||
    most[1] * 2 <= all.length ||
    (actions.has(most[0]) && most[1] < all.length)
  )
    return []
  // How many parts the service has shows in what its tools have in common; an action and an object follow it.
  const own = all.filter(([first]) => first === most[0])
  const [shortest = []] = [...own].sort((one, other) => one.length - other.length)
  if (own.length < 2) return [most[0]]
  let length = 1
  while (length < shortest.length - 2 && own.every((parts) => parts[length] === shortest[length]))
    length += 1
  return shortest.slice(0, length)
}

const startsWith = (parts: readonly string[], prefix: readonly string[]): boolean =>
  prefix.every((part, index) => parts[index] === part)

function judgeForm({ name, path, note }: NamedTool, service: readonly string[]): void {
  if (!toolName.test(name)) {
    const fewer = wordsOf(name).length < 3
    note(
      'name',
      path,
      fewer ? 'is not made of service, action and object' : 'is not in snake_case',
      fewer ? `call it ${formOf(service)}` : `call it ${wordsOf(name).join('_')}`,
    )
  } else if (startsWith(wordsOf(name), service) && wordsOf(name).length < service.length + 2) {
    note(
      'name',
      path,
      `has only ${wordsOf(name).length - service.length} part after ${service.join('_')}_`,
      `call it ${formOf(service)}`,
      'warning',
    )
  }
}

const formOf = (service: readonly string[]) =>
  `${service.length === 0 ? '<service>' : service.join('_')}_<action>_<object>`

function suggestName(name: string, prefix: readonly string[]): string {
  const parts = wordsOf(name)
  return [...prefix, ...(parts.length > 2 ? parts.slice(1) : parts)].join('_')
}

function judgeDuplicates(tools: readonly NamedTool[]): void {
  const first = new Map<string, string>()
  for (const { name, path, note } of tools) {
    const before = first.get(name)
    if (before === undefined) first.set(name, path)
    else note('duplicate', path, `is the name of ${before} too`, 'give one of them another name')
  }
}

/** Judges the server's own name. */
export function judgeServerName(name: string, note: ReportFinding): void {
  const path = 'server name'
  const parts = wordsOf(name).filter((part, index, all) => part !== 'mcp' || index < all.length - 1)
  const versions = parts.filter(
    (part, index) =>
      /^((v|ver|version|rc)\d+|(19|20)\d\d(\d\d){0,2})$/.test(part) ||
      (/^\d+$/.test(part) && /^\d+$/.test(parts[index + 1] ?? parts[index - 1] ?? '')),
  )
  const plain = parts.filter((part) => !versions.includes(part))
  const mend = `call it ${[...plain, 'mcp'].join('_')}`
  if (!serverForm.test(name))
    note(
      'server-name',
      path,
      `${preview(name)} is not <service>_mcp in lower case with underscores`,
      mend,
    )
  if (versions.length > 0)
    note(
      'server-version',
      path,
      `${preview(name)} holds a version or a date: ${versions.join(', ')}`,
      mend,
    )
  else if (plain.some((part) => /^\d+$|[a-z]v\d+$|\d{4,}$/.test(part) && !/^ipv[46]$/.test(part)))
    note(
      'server-version',
      path,
      `${preview(name)} holds a number that may be a version or a date`,
      'leave it out, unless the service has it in its name',
      'warning',
    )
}

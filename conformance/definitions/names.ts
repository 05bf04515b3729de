import { serverName as serverNames } from '../../generated/tools/contract.ts'
import { validateToolName } from '../../generated/tools/index.ts'
import { preview, ruleRequirements, type ReportFinding } from './finding.ts'

/** Whether a server's name violates the schema of these names in a rule. */
const violates = (name: string, rule: 'server-name' | 'server-version'): boolean =>
  serverNames.validate(name).some(({ requirement }) => requirement === ruleRequirements[rule])

/**
 * Whether a server's name has the form that the contract defines. Accepts a version or a date in
 * the name, because another rule reports them.
 */
const hasServerForm = (name: string): boolean => !violates(name, 'server-name')

/**
 * Verbs with which a tool name without a service often begins. Such a verb counts as a service only
 * if all names begin with it.
 */
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

/** A tool's name, its path, and the function that reports findings about this tool. */
export interface NamedTool {
  readonly name: string
  readonly path: string
  readonly report: ReportFinding
}

/** The words of a name in snake case, kebab case or camel case. */
const wordsOf = (name: string): string[] =>
  name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((part) => part !== '')

/**
 * Judges the names of all tools: their form, and whether all begin with the same service. If the
 * server's name is known, the service must be the one in that name.
 */
export function judgeNames(
  tools: readonly NamedTool[],
  serverName: string | undefined,
  reportAll: ReportFinding,
  listPath: string,
): void {
  const service =
    serverName !== undefined && hasServerForm(serverName)
      ? wordsOf(serverName).slice(0, -1)
      : undefined
  const prefix = prefixOf(tools, service)
  // The words with which suggested names begin. A suggestion must satisfy all rules for names,
  // including the one about the server's name.
  const suggested =
    service ?? (prefix.length > 0 ? prefix : serverName === undefined ? [] : serviceIn(serverName))
  for (const tool of tools) judgeForm(tool, service ?? prefix, suggested)
  judgeDuplicates(tools)
  for (const { name, path, report } of tools) {
    if (prefix.length > 0 && !startsWith(wordsOf(name), prefix))
      report(
        'prefix',
        path,
        `does not begin with ${prefix.join('_')}_, unlike other names`,
        `rename it to ${suggestName(name, prefix)}`,
      )
  }
  if (prefix.length === 0 && tools.length > 1) {
    reportAll(
      'prefix',
      listPath,
      'has tool names that begin with different words',
      `begin every name with ${suggested.length === 0 ? 'the name of the service' : `${suggested.join('_')}_`}`,
    )
  }
  if (service !== undefined && prefix.length > 0 && !startsWith(prefix, service)) {
    reportAll(
      'service',
      listPath,
      `has tools that begin with ${prefix.join('_')}_, not with ${service.join('_')}_, the service in the server name ${preview(serverName)}`,
      `begin every name with ${service.join('_')}_, or rename the server to ${prefix.join('_')}_mcp`,
    )
  }
}

/**
 * The service with which the names of tools begin: the server's service if any name begins with it,
 * otherwise the first words that more than half of the names share. Empty if there is none.
 */
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
  // The service consists of the first words that these names share. An action and an object follow
  // it, so it ends at least two words before the end of the shortest name.
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

function judgeForm(
  { name, path, report }: NamedTool,
  service: readonly string[],
  suggested: readonly string[],
): void {
  if (!validateToolName(name)) {
    report(
      'name',
      path,
      'is not of the form <service>_<action>_<object> in snake_case',
      `rename it to ${suggestForm(name, suggested)}`,
    )
  } else if (startsWith(wordsOf(name), service) && wordsOf(name).length < service.length + 2) {
    report(
      'name',
      path,
      wordsOf(name).length === service.length
        ? 'has no word after the name of the service'
        : `has only 1 word after ${service.join('_')}_`,
      `rename it to ${formOf(service)}`,
      'warning',
    )
  }
}

const formOf = (service: readonly string[]) =>
  `${service.length === 0 ? '<service>' : service.join('_')}_<action>_<object>`

/** Suggests a name of the right form: the service, and then the other words of the given name. */
function suggestForm(name: string, service: readonly string[]): string {
  const parts = wordsOf(name)
  const rest =
    service.length > 0 && startsWith(parts, service) ? parts.slice(service.length) : parts
  return rest.length < 2
    ? formOf(service)
    : [service.length === 0 ? '<service>' : service.join('_'), ...rest].join('_')
}

/** Suggests a name that begins with `prefix` instead of another service. */
function suggestName(name: string, prefix: readonly string[]): string {
  const parts = wordsOf(name)
  const hasService = parts.length > 2 && !actions.has(parts[0]!)
  return [...prefix, ...(hasService ? parts.slice(1) : parts)].join('_')
}

/**
 * The words of a server's name that are versions or dates, alone or with a neighbour, according to
 * the schema of these names. The schema concerns words between underscores, so that it judges the
 * words of names in any spelling.
 */
function versionsIn(parts: readonly string[]): string[] {
  const isVersion = (...words: readonly string[]) =>
    violates(`_${words.join('_')}_`, 'server-version')
  return parts.filter((part, index) => {
    if (isVersion(part)) return true
    const neighbour = parts[index + 1] ?? parts[index - 1]
    return neighbour !== undefined && !isVersion(neighbour) && isVersion(part, neighbour)
  })
}

/**
 * Returns the service in a server's name: its words without versions, dates and a final `mcp`. The
 * name may have a wrong form.
 */
function serviceIn(serverName: string): string[] {
  const parts = wordsOf(serverName)
  const versions = versionsIn(parts)
  const words = parts.filter((part) => !versions.includes(part))
  return words.at(-1) === 'mcp' ? words.slice(0, -1) : words
}

function judgeDuplicates(tools: readonly NamedTool[]): void {
  const paths = new Map<string, string>()
  for (const { name, path, report } of tools) {
    const before = paths.get(name)
    if (before === undefined) paths.set(name, path)
    else report('duplicate', path, `is also the name at ${before}`, 'rename one of them')
  }
}

/** Judges the server's name: its form, and whether it contains a version or a date. */
export function judgeServerName(name: string, report: ReportFinding): void {
  const path = 'server name'
  const versions = versionsIn(wordsOf(name))
  const plain = serviceIn(name)
  const fix = `rename it to ${[...plain, 'mcp'].join('_')}`
  if (!hasServerForm(name))
    report('server-name', path, `${preview(name)} is not <service>_mcp in snake_case`, fix)
  if (versions.length > 0)
    report(
      'server-version',
      path,
      `${preview(name)} contains a version or a date: ${versions.join(', ')}`,
      fix,
    )
  else if (plain.some((part) => /^\d+$|[a-z]v\d+$|\d{4,}$/.test(part) && !/^ipv[46]$/.test(part)))
    report(
      'server-version',
      path,
      `${preview(name)} contains a number that may be a version or a date`,
      'remove it, unless it is part of the name of the service',
      'warning',
    )
}

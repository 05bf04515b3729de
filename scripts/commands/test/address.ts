import type { HttpExchange } from '../../../conformance/wire/index.ts'
import { flagOf } from '../../../conformance/target-file/index.ts'
import { shellWord } from '../../../conformance/wire/shell.ts'
import { UsageError } from '../../print-error.ts'
import { splitCommand } from '../tool-list/split-command.ts'
import { waitingOf, type WaitOptions } from './waiting.ts'

/** The options about the address on the command line. */
export interface AddressOptions extends WaitOptions {
  /** The account of the image API at the address. */
  account?: string | undefined
  /** Whether another option sets the account. */
  isAccountSet: boolean
  /** The project of the webhook API at the address. */
  project?: string | undefined
}

type Flags = Record<string, string | boolean>

/**
 * Returns the keys of the target that the address on the command line sets. --account and --project
 * determine the kind of server; without them, its responses to requests do. Throws a `UsageError`
 * if the server does not listen, or if its responses do not show its kind.
 */
export async function flagsOfAddress(
  address: string | undefined,
  options: AddressOptions,
): Promise<Flags> {
  const { account, project, isAccountSet } = options
  if (account !== undefined && project !== undefined)
    throw new UsageError('--account is for image APIs, and --project for webhook APIs: use one.')
  if (address === undefined) {
    if (account === undefined && project === undefined) return {}
    throw new UsageError(
      account === undefined
        ? '--project needs the URL of a webhook API: npx touchstone test URL --project 42'
        : '--account needs the URL of an image API: npx touchstone test URL --account acc-1',
    )
  }
  refusePrefix(address)
  const url = /^[a-z][a-z0-9+.-]*:\/\//i.test(address) ? address : `http://${address}`
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new UsageError(`${address} is neither an http: or https: URL nor a host with a port.`)
  if (account !== undefined) return { 'images.url': url, 'images.account': account }
  if (project !== undefined) return { 'hooks.url': url, 'hooks.project': project }
  const key = await askServer(url, options)
  if (key === 'images.url' && !isAccountSet)
    throw new UsageError(
      `${address} is an image API. Next: add --account, such as --account acc-1.`,
    )
  process.stderr.write(`${address} is ${kinds[key]} (${flagOf(key)})\n`)
  return { [key]: key === 'greeting.address' ? hostAndPort(new URL(url)) : url }
}

/** Throws a `UsageError` that names the options for a server in the form of `lint-tools`. */
function refusePrefix(address: string): void {
  // "sse" with a port is a host.
  const [, prefix, given = ''] = /^(stdio|sse):(?!\d)(.+)$/s.exec(address) ?? []
  if (prefix === undefined) return
  if (prefix === 'sse')
    throw new UsageError(`test does not accept sse:URL.\nNext: --tools-sse ${shellWord(given)}`)
  const [command = '', ...args] = splitCommand(given, 'stdio:')
  const list = args.length === 0 ? '' : ` --tools-stdio-args ${shellWord(JSON.stringify(args))}`
  throw new UsageError(
    `test does not accept stdio:COMMAND.\nNext: --tools-stdio-command ${shellWord(command)}${list}`,
  )
}

/** `URL` omits port 80, which the key requires. */
const hostAndPort = ({ hostname, port }: URL): string => `${hostname}:${port === '' ? 80 : port}`

const kinds = {
  'images.url': 'an image API',
  'greeting.address': 'a greeting service',
  'tools.http': 'an MCP server',
  'tools.sse': 'an MCP server with the HTTP+SSE transport',
} as const

async function askServer(url: string, options: AddressOptions): Promise<keyof typeof kinds> {
  const { findUnreachable } = await import('../../../conformance/preflight.ts')
  const unreachable = await findUnreachable(
    'the address on the command line',
    url,
    waitingOf(options),
  )
  if (unreachable !== undefined) throw new UsageError(unreachable)
  const { recognize } = await import('../../../conformance/recognition.ts')
  const { key, responses } = await recognize(url)
  if (key !== undefined) return key
  throw new UsageError(
    [
      `${url}: ${describeUnrecognized(responses)}`,
      '  an image API        add --account acc-1',
      '  a webhook API       add --project 42',
      '  a receiver          use --receiver-url URL',
      '  a greeting service  use --greeting-address HOST:PORT',
      '  an MCP server       use --tools-http URL or --tools-sse URL',
    ].join('\n'),
  )
}

/** Says why the kind of a server is unknown, and what to do before it is named with an option. */
function describeUnrecognized(responses: readonly HttpExchange[]): string {
  const statuses = responses.flatMap(({ status }) => (status === undefined ? [] : [status]))
  const [first] = statuses
  if (first === undefined)
    return `the server does not respond over HTTP (${responses[0]?.summary ?? 'none was sent'}). If this is the right port, next:`
  const is = (...known: number[]) => statuses.every((status) => known.includes(status))
  const list = [...new Set(statuses)].join(' or ')
  const all = `all responses have the status ${list}`
  if (is(404, 405))
    return `${all}. Next: check the path, such as /mcp, /client/v4 or /api/v4. If it is right:`
  if (is(401, 403, 404, 405))
    return `${all}, so they do not show what kind of server this is: it requires a token, or the path is wrong. Next:`
  if (statuses.every((status) => status >= 300))
    return `${all}, so they do not show what kind of server this is. Next:`
  return 'the responses do not show what kind of server this is. Next:'
}

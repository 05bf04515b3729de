import { constants } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { delimiter, join, resolve } from 'node:path'
import type { HttpClient } from '../../wire/index.ts'
import type { Preflight } from '../shared/subject.ts'
import type { AuthTarget } from './authentication.ts'
import { openSession } from './support/preflight-session.ts'
import { explainRefusedSession, preflightToken } from './support/refused-session.ts'
import { findWrongToolNames } from './support/wrong-tool-names.ts'
import { processClock } from '../../engine/index.ts'
import { McpClient } from '../../wire/mcp.ts'
import { startProcess } from '../../wire/mcp/process.ts'
import { waitAtMost } from '../../wire/wait.ts'
import type { ToolsTarget } from './target.ts'

export const preflight: Preflight<ToolsTarget> = {
  addresses: ({ http, sse }) => ({ 'tools.http': http, 'tools.sse': sse }),
  async findMistake(target, client) {
    const { http, sse, stdio, auth } = target
    return (
      (http === undefined ? undefined : await tryStreamableHttp(http, client, auth)) ??
      (sse === undefined ? undefined : await trySse(sse, client, auth)) ??
      (stdio !== undefined && 'command' in stdio ? await findBrokenProgram(stdio) : undefined) ??
      (await findWrongToolNames(target))
    )
  },
}

/** Opens a session. */
async function tryStreamableHttp(
  url: string,
  client: HttpClient,
  auth: AuthTarget | undefined,
): Promise<string | undefined> {
  const { status } = await openSession(url, client, preflightToken(auth))
  const where = `POST ${url}`
  return explainPath(status, where, 'tools.http') ?? explainRefusedSession(status, where, auth)
}

async function trySse(
  url: string,
  client: HttpClient,
  auth: AuthTarget | undefined,
): Promise<string | undefined> {
  const token = preflightToken(auth)
  const { status } = await client.send({
    operation: 'resource',
    method: 'GET',
    url,
    headers: {
      ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
      Accept: 'text/event-stream',
    },
    readBody: 'of refusals',
  })
  const where = `GET ${url}`
  return explainPath(status, where, 'tools.sse') ?? explainRefusedSession(status, where, auth)
}

const explainPath = (status: number | undefined, where: string, key: string) =>
  status === 404 || status === 405
    ? `${status} for ${where}: check the path in ${key}, such as /mcp or /sse.`
    : undefined

/** Looks for the program in the target file in the same way as `spawn`. */
async function findMissingProgram({
  command,
  cwd = '.',
}: {
  readonly command: string
  readonly cwd?: string | undefined
}): Promise<string | undefined> {
  if ((await kindOf(cwd)) !== 'folder') return `${cwd}: no such folder. Check tools.stdio.cwd.`
  if (!(await isAccessible(cwd, constants.X_OK)))
    return `${cwd}: permission denied. Check tools.stdio.cwd.`
  // On Windows, a program is also found without its extension.
  if (process.platform === 'win32') return undefined
  const candidates = command.includes('/')
    ? [resolve(cwd, command)]
    : (process.env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, command))
  for (const candidate of candidates)
    if ((await kindOf(candidate)) === 'file' && (await isAccessible(candidate, constants.X_OK)))
      return undefined
  return `${command}: no such program. Check tools.stdio.command.${hintAtArguments(command)}`
}

/** A command with arguments belongs in two keys. */
function hintAtArguments(command: string): string {
  const [program, ...args] = command.trim().split(/\s+/)
  return args.length === 0
    ? ''
    : ` Arguments belong in tools.stdio.args: --tools-stdio-command ${program} --tools-stdio-args '${JSON.stringify(args)}'`
}

/** How long a program may take to fail before it is left to the checks, in milliseconds. */
const startTimeout = 3000

/**
 * Starts the program, and sends `initialize`. Explains a program that ends with an error instead of
 * writing a message. One that writes anything, or ends with the code 0, is judged by the checks.
 */
async function findFailedStart(stdio: Stdio): Promise<string | undefined> {
  // The fake upstream does not run yet.
  if (JSON.stringify(stdio).includes('{upstream}')) return undefined
  const client = McpClient.open({ access: { stdio }, timeout: startTimeout })
  try {
    const { failure, why, receivedBytes } = await (await client.connect('stdio')).initialize()
    const hasFailed = failure === 'closed' && /\((exit code [1-9]|signal )/.test(why ?? '')
    return hasFailed && receivedBytes === 0 && (await endsWithoutInput(stdio))
      ? `${stdio.command}: ${why}. Check tools.stdio.command and tools.stdio.args.`
      : undefined
  } finally {
    await client.close()
  }
}

/** Whether the program also ends if it receives nothing, so that the message is not the reason. */
async function endsWithoutInput(stdio: Stdio): Promise<boolean> {
  const pipes = startProcess(stdio)
  pipes.input.on('error', () => {})
  const end = await waitAtMost(processClock, startTimeout, pipes.closed)
  await pipes.close(true)
  return end !== undefined
}

const findBrokenProgram = async (stdio: Stdio): Promise<string | undefined> =>
  (await findMissingProgram(stdio)) ?? (await findFailedStart(stdio))

type Stdio = Extract<NonNullable<ToolsTarget['stdio']>, { readonly command: string }>

const kindOf = (path: string): Promise<'file' | 'folder' | undefined> =>
  stat(path).then(
    (found) => (found.isDirectory() ? 'folder' : 'file'),
    () => undefined,
  )

const isAccessible = (path: string, mode: number): Promise<boolean> =>
  access(path, mode).then(
    () => true,
    () => false,
  )

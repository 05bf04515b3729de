import { constants } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { delimiter, join, resolve } from 'node:path'
import type { HttpClient } from '../../wire/index.ts'
import type { Preflight } from '../shared/subject.ts'
import type { AuthTarget } from './authentication.ts'
import { openSession } from './support/preflight-session.ts'
import { explainRefusedSession, preflightToken } from './support/refused-session.ts'
import { findWrongToolNames } from './support/wrong-tool-names.ts'
import type { ToolsTarget } from './target.ts'

export const preflight: Preflight<ToolsTarget> = {
  addresses: ({ http, sse }) => ({ 'tools.http': http, 'tools.sse': sse }),
  async findMistake(target, client) {
    const { http, sse, stdio, auth } = target
    return (
      (http === undefined ? undefined : await tryStreamableHttp(http, client, auth)) ??
      (sse === undefined ? undefined : await trySse(sse, client, auth)) ??
      (stdio !== undefined && 'command' in stdio ? await findMissingProgram(stdio) : undefined) ??
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
  return `${command}: no such program. Check tools.stdio.command.`
}

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

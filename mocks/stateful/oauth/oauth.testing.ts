import { createHash, randomBytes } from 'node:crypto'
import type { Auth, ToolsOptions, ToolsServer } from '../tools.ts'
import { startServer } from '../tools/tools.testing.ts'

/** Starts a tool server with the pattern oauth-provider. */
export async function startProvider(
  auth: Omit<Extract<Auth, { pattern: 'oauth-provider' }>, 'pattern'> = {},
  more: ToolsOptions = {},
): Promise<{ server: ToolsServer; origin: string }> {
  const server = await startServer({
    auth: { pattern: 'oauth-provider', ...auth },
    controlRoutes: true,
    ...more,
  })
  return { server, origin: new URL(server.mcp).origin }
}

type Json = Record<string, unknown>
export interface TestResponse {
  status: number
  json: Json
  headers: Headers
  text: string
}

async function readResponse(response: Response): Promise<TestResponse> {
  const text = await response.text()
  let json: Json = {}
  try {
    json = JSON.parse(text) as Json
  } catch {
    /* Pages are not JSON. */
  }
  return { status: response.status, json, headers: response.headers, text }
}

export const getJson = async (
  url: string,
  headers: Record<string, string> = {},
): Promise<TestResponse> => readResponse(await fetch(url, { headers, redirect: 'manual' }))

export const postJson = async (url: string, body: unknown): Promise<TestResponse> =>
  readResponse(
    await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  )

export const postForm = async (
  url: string,
  form: Record<string, string> | [string, string][],
  headers: Record<string, string> = {},
): Promise<TestResponse> =>
  readResponse(await fetch(url, { method: 'POST', headers, body: new URLSearchParams(form) }))

export const redirectUri = 'http://127.0.0.1:7777/back?app=1'

/** Registers a client, by default a public one. */
export async function registerClient(
  origin: string,
  metadata: Json = {},
): Promise<{ id: string; secret: string | undefined }> {
  const { json } = await postJson(`${origin}/register`, {
    redirect_uris: [redirectUri],
    client_name: 'Tester <b>',
    token_endpoint_auth_method: 'none',
    ...metadata,
  })
  return { id: String(json['client_id']), secret: json['client_secret'] as string | undefined }
}

/** A PKCE verifier. */
export const verifier = randomBytes(32).toString('base64url')
const challenge = createHash('sha256').update(verifier).digest('base64url')

/**
 * The URL of a valid authorization request. Parameters in `more` that are undefined are omitted.
 */
export function authorizeUrl(
  origin: string,
  id: string,
  more: Record<string, string | undefined> = {},
): string {
  const parameters = {
    response_type: 'code',
    client_id: id,
    redirect_uri: redirectUri,
    state: 'st&te',
    code_challenge: challenge,
    code_challenge_method: 'S256',
    ...more,
  }
  return `${origin}/authorize?${new URLSearchParams(Object.entries(parameters).filter((pair): pair is [string, string] => pair[1] !== undefined))}`
}

/** A browser without scripts: keeps cookies, does not follow redirects, and fills in forms. */
export class TestBrowser {
  readonly cookies = new Map<string, string>()

  async open(url: string, init: RequestInit = {}): Promise<TestResponse & { location: URL }> {
    const cookie = [...this.cookies].map((pair) => pair.join('=')).join('; ')
    const response = await fetch(url, {
      ...init,
      redirect: 'manual',
      headers: { ...init.headers, ...(cookie === '' ? {} : { cookie }) },
    })
    for (const text of response.headers.getSetCookie()) {
      const [name = '', value = ''] = text.split(';', 1)[0]!.split('=')
      this.cookies.set(name, value)
    }
    const location = response.headers.get('location')
    return { ...(await readResponse(response)), location: new URL(location ?? 'none:', url) }
  }

  /** Sends the form of a page, with its hidden fields and with `fields`. */
  send(
    origin: string,
    page: string,
    fields: Record<string, string>,
    headers: Record<string, string> = {},
  ): ReturnType<TestBrowser['open']> {
    const hidden = Object.fromEntries(
      [...page.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)">/g)].map(
        ([, name = '', value = '']) => [name, value],
      ),
    )
    const action = /<form method="post" action="([^"]+)">/.exec(page)?.[1] ?? '/none'
    return this.open(`${origin}${action}`, {
      method: 'POST',
      headers,
      body: new URLSearchParams({ ...hidden, ...fields }),
    })
  }
}

export const ada = { login: 'ada', password: 'ada-password' }

/** Signs in, allows, and returns the code. */
export async function obtainCode(
  origin: string,
  id: string,
  more: Record<string, string | undefined> = {},
  browser = new TestBrowser(),
): Promise<string> {
  const { text } = await browser.open(authorizeUrl(origin, id, more))
  const { location } = await browser.send(origin, text, { ...ada, decision: 'approve' })
  return location.searchParams.get('code') ?? ''
}

/** Exchanges a code for tokens. Parameters in `more` that are undefined are omitted. */
export function exchange(
  origin: string,
  id: string,
  code: string,
  more: Record<string, string | undefined> = {},
): Promise<TestResponse> {
  const parameters = {
    grant_type: 'authorization_code',
    client_id: id,
    code,
    code_verifier: verifier,
    redirect_uri: redirectUri,
    ...more,
  }
  return postForm(
    `${origin}/token`,
    Object.entries(parameters).filter((pair): pair is [string, string] => pair[1] !== undefined),
  )
}

export const refreshAt = (
  origin: string,
  id: string,
  token: unknown,
  more: Record<string, string> = {},
): Promise<TestResponse> =>
  postForm(`${origin}/token`, {
    grant_type: 'refresh_token',
    client_id: id,
    refresh_token: String(token),
    ...more,
  })

/** Runs the whole flow and returns the tokens of a client. */
export async function obtainTokens(
  origin: string,
  id: string,
  more: Record<string, string | undefined> = {},
): Promise<Json> {
  return (await exchange(origin, id, await obtainCode(origin, id, more))).json
}

/** The status of a resource request with a token: 200 if it is valid. */
export async function resourceStatus(
  origin: string,
  token: unknown,
  path = '/mcp',
): Promise<number> {
  const response = await fetch(`${origin}${path}`, {
    method: path === '/mcp' ? 'POST' : 'GET',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      authorization: `Bearer ${String(token)}`,
    },
    ...(path === '/mcp'
      ? {
          body: JSON.stringify({
            jsonrpc: '2.0',
            id: 0,
            method: 'initialize',
            params: {
              protocolVersion: '2025-11-25',
              capabilities: {},
              clientInfo: { name: 'x', version: '1' },
            },
          }),
        }
      : {}),
  })
  await response.body?.cancel()
  return response.status
}

/** Moves the server's clock this many seconds ahead of the real time. */
export const moveClockAhead = (server: ToolsServer, offsetSeconds: number): Promise<Response> =>
  fetch(server.clockControl!, { method: 'POST', body: JSON.stringify({ offsetSeconds }) })

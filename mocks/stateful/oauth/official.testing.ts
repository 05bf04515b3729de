import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import {
  UnauthorizedError,
  type OAuthClientProvider,
} from '@modelcontextprotocol/sdk/client/auth.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type {
  OAuthClientInformationMixed,
  OAuthTokens,
} from '@modelcontextprotocol/sdk/shared/auth.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { expect, onTestFinished } from 'vitest'
import type { ToolsServer } from '../tools.ts'

/**
 * The OAuth provider of the official client, which keeps its state in memory and records the
 * authorization URL.
 */
class Memory implements OAuthClientProvider {
  readonly redirectUrl = 'http://localhost:7777/back'
  readonly clientMetadata = {
    redirect_uris: [this.redirectUrl],
    client_name: 'The official client',
    token_endpoint_auth_method: 'none',
  }
  went: URL | undefined
  known: OAuthClientInformationMixed | undefined
  held: OAuthTokens | undefined
  private verifier = ''

  state(): string {
    return 'of the client'
  }
  clientInformation(): OAuthClientInformationMixed | undefined {
    return this.known
  }
  saveClientInformation(information: OAuthClientInformationMixed): void {
    this.known = information
  }
  tokens(): OAuthTokens | undefined {
    return this.held
  }
  saveTokens(tokens: OAuthTokens): void {
    this.held = tokens
  }
  redirectToAuthorization(url: URL): void {
    this.went = url
  }
  saveCodeVerifier(verifier: string): void {
    this.verifier = verifier
  }
  codeVerifier(): string {
    return this.verifier
  }
}

/**
 * Runs the whole flow with the official client. `user` gets the authorization URL and returns the
 * final URL of the browser.
 */
export async function runOfficialClient(
  server: ToolsServer,
  user: (url: URL) => Promise<URL>,
): Promise<{ client: Client; memory: Memory }> {
  const memory = new Memory()
  const transportOf = () =>
    new StreamableHTTPClientTransport(new URL(server.mcp), { authProvider: memory })
  const first = transportOf()
  await expect(
    new Client({ name: 'tester', version: '1' }).connect(first as Transport),
  ).rejects.toThrow(UnauthorizedError)
  const back = await user(memory.went!)
  expect([back.origin + back.pathname, back.searchParams.get('state')]).toEqual([
    memory.redirectUrl,
    'of the client',
  ])
  await first.finishAuth(back.searchParams.get('code') ?? '')
  const client = new Client({ name: 'tester', version: '1' })
  onTestFinished(() => client.close())
  await client.connect(transportOf() as Transport)
  return { client, memory }
}

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
 * The `OAuthClientProvider` that the official client requires. It keeps its state in memory and
 * records the authorization URL.
 */
class MemoryProvider implements OAuthClientProvider {
  readonly redirectUrl = 'http://localhost:7777/back'
  readonly clientMetadata = {
    redirect_uris: [this.redirectUrl],
    client_name: 'The official client',
    token_endpoint_auth_method: 'none',
  }
  authorizationUrl: URL | undefined
  client: OAuthClientInformationMixed | undefined
  storedTokens: OAuthTokens | undefined
  private verifier = ''

  state(): string {
    return 'of the client'
  }
  clientInformation(): OAuthClientInformationMixed | undefined {
    return this.client
  }
  saveClientInformation(information: OAuthClientInformationMixed): void {
    this.client = information
  }
  tokens(): OAuthTokens | undefined {
    return this.storedTokens
  }
  saveTokens(tokens: OAuthTokens): void {
    this.storedTokens = tokens
  }
  redirectToAuthorization(url: URL): void {
    this.authorizationUrl = url
  }
  saveCodeVerifier(verifier: string): void {
    this.verifier = verifier
  }
  codeVerifier(): string {
    return this.verifier
  }
}

/**
 * Runs the whole flow with the official client. `authorizeInBrowser` gets the authorization URL and
 * returns the final URL of the browser.
 */
export async function runOfficialClient(
  server: ToolsServer,
  authorizeInBrowser: (url: URL) => Promise<URL>,
): Promise<{ client: Client; memory: MemoryProvider }> {
  const memory = new MemoryProvider()
  const newTransport = () =>
    new StreamableHTTPClientTransport(new URL(server.mcp), { authProvider: memory })
  const first = newTransport()
  await expect(
    new Client({ name: 'tester', version: '1' }).connect(first as Transport),
  ).rejects.toThrow(UnauthorizedError)
  const returnUrl = await authorizeInBrowser(memory.authorizationUrl!)
  expect([returnUrl.origin + returnUrl.pathname, returnUrl.searchParams.get('state')]).toEqual([
    memory.redirectUrl,
    'of the client',
  ])
  await first.finishAuth(returnUrl.searchParams.get('code') ?? '')
  const client = new Client({ name: 'tester', version: '1' })
  onTestFinished(() => client.close())
  await client.connect(newTransport() as Transport)
  return { client, memory }
}

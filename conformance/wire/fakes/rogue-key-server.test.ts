import { createPublicKey, X509Certificate, type JsonWebKey } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { attackersKey, attackersSecret } from '../jwt/attacker.ts'
import { RogueKeyServer } from './rogue-key-server.ts'

describe('the rogue key server', () => {
  let server: RogueKeyServer
  beforeAll(async () => {
    server = await RogueKeyServer.start()
  })
  afterAll(() => server.close())

  it('serves the keys that forged tokens are signed with', async () => {
    const { keys } = (await (await fetch(`${server.url}/jwks.json`)).json()) as {
      keys: JsonWebKey[]
    }
    const pem = (key: JsonWebKey) =>
      createPublicKey({ key, format: 'jwk' }).export({ type: 'spki', format: 'pem' })
    expect(pem(keys[0]!)).toBe(attackersKey().pem)
    expect(Buffer.from(String(keys[1]!.k), 'base64url').toString()).toBe(attackersSecret)
    expect(
      new X509Certificate(await (await fetch(`${server.url}/cert.pem`)).text()).checkPrivateKey(
        attackersKey().privateKey,
      ),
    ).toBe(true)
  })

  it('records the requested paths', async () => {
    expect((await fetch(`${server.url}/else`)).status).toBe(404)
    expect(server.requestedPaths).toEqual(['/jwks.json', '/cert.pem', '/else'])
  })
})

import { createPublicKey, X509Certificate, type JsonWebKey } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { attackersKey, attackersSecret } from '../jwt/attacker.ts'
import { RogueKeyServer } from './rogue-key-server.ts'

describe('the lure', () => {
  let lure: RogueKeyServer
  beforeAll(async () => {
    lure = await RogueKeyServer.start()
  })
  afterAll(() => lure.close())

  it('has the keys with which forged tokens are signed', async () => {
    const { keys } = (await (await fetch(`${lure.url}/jwks.json`)).json()) as { keys: JsonWebKey[] }
    const pem = (key: JsonWebKey) =>
      createPublicKey({ key, format: 'jwk' }).export({ type: 'spki', format: 'pem' })
    expect(pem(keys[0]!)).toBe(attackersKey().pem)
    expect(Buffer.from(String(keys[1]!.k), 'base64url').toString()).toBe(attackersSecret)
    expect(
      new X509Certificate(await (await fetch(`${lure.url}/cert.pem`)).text()).checkPrivateKey(
        attackersKey().privateKey,
      ),
    ).toBe(true)
  })

  it('counts who comes', async () => {
    expect((await fetch(`${lure.url}/else`)).status).toBe(404)
    expect(lure.requestedPaths).toEqual(['/jwks.json', '/cert.pem', '/else'])
  })
})

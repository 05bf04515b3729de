import { once } from 'node:events'
import type { Socket } from 'node:net'
import { Agent, request } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startContractImages, type ContractImagesServer } from './images.ts'

let mock: ContractImagesServer
beforeAll(async () => {
  mock = await startContractImages()
})
afterAll(async () => {
  await mock.close()
})

const images = '/accounts/acc-1/images'
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

describe('tokens', () => {
  test.each([
    [undefined, 401],
    ['', 401],
    ['images-token', 401],
    ['Basic images-token', 401],
    ['Bearer unknown', 401],
    ['Bearer images-batch-token', 401],
    ['Bearer images-limited-token', 403],
    ['bearer images-token', 200],
    ['Bearer images-token', 200],
  ])('on the account host, %s results in status %i', async (authorization, status) => {
    const response = await fetch(
      `${mock.accountUrl}${images}/v2`,
      authorization === undefined ? {} : { headers: { authorization } },
    )
    expect([response.status, ((await response.json()) as { success: boolean }).success]).toEqual([
      status,
      status === 200,
    ])
  })

  test.each([
    ['images-token', 401],
    ['images-limited-token', 401],
    ['images-batch-token', 200],
  ])('on the batch host, %s results in status %i', async (token, status) => {
    expect((await fetch(`${mock.batchUrl}/images/v2`, { headers: bearer(token) })).status).toBe(
      status,
    )
  })

  test('are checked before the request', async () => {
    expect(
      (
        await fetch(`${mock.accountUrl}${images}/v1`, {
          method: 'POST',
          headers: bearer('unknown'),
          body: 'x',
        })
      ).status,
    ).toBe(401)
  })
})

describe('hosts', () => {
  test('the delivery host returns an image', async () => {
    const response = await fetch(`${mock.deliveryUrl}/hash/id/public`)
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/png'])
    expect([...new Uint8Array(await response.arrayBuffer()).subarray(0, 4)]).toEqual([
      0x89, 0x50, 0x4e, 0x47,
    ])
    expect((await fetch(`${mock.deliveryUrl}/hash`)).status).toBe(404)
  })

  test('the mock applies its options, and closes at once although connections are open', async () => {
    const other = await startContractImages({
      account: 'mine',
      basePath: '/v9',
      tokens: { api: 't' },
    })
    expect(other.accountUrl).toMatch(/\/v9$/)
    expect(
      (await fetch(`${other.accountUrl}/accounts/mine/images/v2`, { headers: bearer('t') })).status,
    ).toBe(200)
    const agent = new Agent({ keepAlive: true })
    const connection = await new Promise<Socket>((resolve) => {
      request(`${other.accountUrl}/`, { agent }, (response) => {
        const { socket } = response
        response.resume().on('end', () => resolve(socket))
      }).end()
    })
    const disconnected = once(connection, 'close')
    await other.close()
    await disconnected
    agent.destroy()
  })
})

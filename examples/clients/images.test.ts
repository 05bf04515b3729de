import { afterAll, beforeAll, expect, it } from 'vitest'
import { isFailure, isSuccess, validateImage } from 'touchstone/images'
import { startImages, type ImagesServer } from '../../mocks/stateful/images.ts'
import { pixel } from '../../mocks/stateful/images/images.testing.ts'
import { images, imagesClient, upload } from './images.ts'

let server: ImagesServer
beforeAll(async () => {
  server = await startImages()
})
afterAll(() => server.close())

const file = (name: string) => new File([pixel], name, { type: 'image/png' })

it('uploads, lists, reads and deletes images with types', async () => {
  const { account, tokens } = server.options
  const client = imagesClient(server.accountUrl, tokens.api)
  const first = await upload(client, account, file('first.png'))
  const second = await upload(client, account, file('second.png'))
  expect([first.filename, second.filename]).toEqual(['first.png', 'second.png'])

  const listed: string[] = []
  for await (const { id } of images(client, account)) listed.push(id)
  expect(listed.sort()).toEqual([first.id, second.id].sort())

  const params = { path: { account_id: account, image_id: first.id } }
  const read = await client.GET('/accounts/{account_id}/images/v1/{image_id}', { params })
  expect(isSuccess(read.data, validateImage)).toBe(true)
  await client.DELETE('/accounts/{account_id}/images/v1/{image_id}', { params })
  const absent = await client.GET('/accounts/{account_id}/images/v1/{image_id}', { params })
  expect(absent.response.status).toBe(404)
  expect(isFailure(absent.error)).toBe(true)

  // @ts-expect-error the contract has no such path
  expect((await client.GET('/videos')).response.status).toBe(404)
})

it('creates a variant', async () => {
  const { account, tokens } = server.options
  const client = imagesClient(server.accountUrl, tokens.api)
  const { data } = await client.POST('/accounts/{account_id}/images/v1/variants', {
    params: { path: { account_id: account } },
    body: { id: 'thumb', options: { fit: 'cover', width: 160, height: 120 } },
  })
  const fit: string | undefined = data?.result.variant?.options?.fit
  expect(fit).toBe('cover')
})

it('reports the error codes of a refusal', async () => {
  const client = imagesClient(server.accountUrl, 'wrong')
  await expect(upload(client, server.options.account, file('a.png'))).rejects.toThrow(
    /^HTTP 401: \d+ /,
  )
})

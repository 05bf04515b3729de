import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { greyImage } from '../stateful/images/grey-image.ts'
import { startContractImages, type ContractImagesServer } from '../prism/images.ts'
import { startImages, type ImagesServer } from '../stateful/images.ts'

// The two image mocks return the same members, of the same types, also where the contract leaves
// them open. Otherwise a client that works with one mock could fail with the other.

let contract: ContractImagesServer
let stateful: ImagesServer
beforeAll(async () => {
  contract = await startContractImages()
  stateful = await startImages()
})
afterAll(async () => {
  await contract.close()
  await stateful.close()
})

type MockUrls = Pick<ImagesServer, 'accountUrl' | 'batchUrl' | 'deliveryUrl'> & {
  options: { account: string; tokens: { api: string; batch: string } }
}

interface SentRequest {
  method?: string
  json?: unknown
  form?: Record<string, string | Blob>
  prefer?: string
  token?: string
}

interface ReadReply {
  status: number
  body: { result: Record<string, unknown> }
}

async function send(
  url: string,
  { method = 'GET', json, form, prefer, token }: SentRequest,
): Promise<ReadReply> {
  let body: string | FormData | undefined
  const headers = new Headers()
  if (token !== undefined) headers.set('authorization', `Bearer ${token}`)
  if (prefer !== undefined) headers.set('prefer', prefer)
  if (json !== undefined) {
    headers.set('content-type', 'application/json')
    body = JSON.stringify(json)
  } else if (form !== undefined) {
    body = new FormData()
    for (const [name, value] of Object.entries(form))
      if (typeof value === 'string') body.set(name, value)
      else body.set(name, value, 'sunset.png')
  }
  const response = await fetch(url, { method, headers, ...(body === undefined ? {} : { body }) })
  return { status: response.status, body: (await response.json()) as ReadReply['body'] }
}

/** Replaces each value by its type, and a list by the different shapes of its elements. */
function shapeOf(value: unknown): unknown {
  if (value === null) return null
  if (Array.isArray(value))
    return [...new Set(value.map((element) => JSON.stringify(shapeOf(element))))]
  if (typeof value !== 'object') return typeof value
  const names = Object.keys(value).sort()
  return Object.fromEntries(
    names.map((name) => [name, shapeOf((value as Record<string, unknown>)[name])]),
  )
}

const file = new Blob([new Uint8Array(greyImage)], { type: 'image/png' })
const metadata = { album: 'harbour', frame: 7 }
const options = { fit: 'pad', width: 320, height: 200, metadata: 'copyright' }

/** Sends a request for each operation of the contract, in an order in which all succeed. */
async function callAll(mock: MockUrls): Promise<Map<string, ReadReply>> {
  const replies = new Map<string, ReadReply>()
  const { account, tokens } = mock.options
  const record = async (name: string, url: string, request: SentRequest) => {
    const reply = await send(url, request)
    replies.set(name, reply)
    return reply.body.result
  }
  const call = (name: string, path: string, request: SentRequest = {}) =>
    record(name, `${mock.accountUrl}/accounts/${account}/images${path}`, {
      token: tokens.api,
      ...request,
    })
  const callBatch = (name: string, path: string, request: SentRequest = {}) =>
    record(name, mock.batchUrl + path, { token: tokens.batch, ...request })
  const post = { method: 'POST' }
  const form = { file, id: 'harbour', metadata: JSON.stringify(metadata) }

  const { variants } = await call('uploadImage', '/v1', { ...post, form })
  const url = String((variants as string[])[0])
  await call('uploadImage from a URL', '/v1', { ...post, form: { url } })
  await call('listImages', '/v2')
  await call('getImage', '/v1/harbour')
  await call('deleteImage', '/v1/harbour', { method: 'DELETE' })
  const ticketPath = '/v2/direct_upload'
  const ticket = await call('createDirectUpload', ticketPath, { ...post, json: {} })
  await call('createDirectUpload from a form', ticketPath, {
    ...post,
    form: { 'metadata[album]': 'visitors', requireSignedURLs: 'true' },
  })
  await record('completeDirectUpload', String(ticket['uploadURL']), { ...post, form: { file } })
  const json = { id: 'thumb', options }
  await call('createVariant', '/v1/variants', { ...post, json })
  await call('listVariants', '/v1/variants')
  await call('getVariant', '/v1/variants/thumb')
  const change = { options: { width: 100 } }
  await call('updateVariant', '/v1/variants/thumb', { method: 'PATCH', json: change })
  await call('deleteVariant', '/v1/variants/thumb', { method: 'DELETE' })
  for (const flexible_variants of [true, false])
    await call(`updateConfig ${flexible_variants}`, '/v1/config', {
      method: 'PATCH',
      json: { flexible_variants },
    })
  await callBatch('batchUploadImage', '/images/v1', { ...post, form: { file, id: 'beach' } })
  await callBatch('batchListImages', '/images/v2')
  await callBatch('batchDeleteImage', '/images/v1/beach', { method: 'DELETE' })
  return replies
}

describe('both image mocks', () => {
  it('return successes of the same shape', async () => {
    const [replies, others] = [await callAll(contract), await callAll(stateful)]
    for (const [name, { status }] of replies) expect([name, status]).toEqual([name, 200])
    const shapesOf = (all: Map<string, ReadReply>) =>
      Object.fromEntries([...all].map(([name, reply]) => [name, shapeOf(reply)]))
    expect(shapesOf(replies)).toEqual(shapesOf(others))
  })

  it('return the new configuration and new values of a variant', async () => {
    for (const mock of [contract, stateful]) {
      const replies = await callAll(mock)
      const resultOf = (name: string) => replies.get(name)!.body.result
      expect(resultOf('updateConfig true')).toEqual({ flexible_variants: true })
      expect(resultOf('updateConfig false')).toEqual({ flexible_variants: false })
      expect(resultOf('createVariant')).toEqual({
        variant: { id: 'thumb', options, neverRequireSignedURLs: false },
      })
      expect(resultOf('updateVariant')).toMatchObject({ variant: { options: { width: 100 } } })
    }
  })

  const failures: [string, (mock: MockUrls) => [string, SentRequest]][] = [
    ['a missing token', (mock) => [`${mock.accountUrl}/accounts/acc-1/images/v2`, {}]],
    [
      'an unknown path',
      ({ accountUrl, options: { tokens } }) => [`${accountUrl}/unknown`, { token: tokens.api }],
    ],
    [
      'an invalid upload',
      ({ batchUrl, options: { tokens } }) => [
        `${batchUrl}/images/v1`,
        { method: 'POST', form: { id: 'a' }, token: tokens.batch },
      ],
    ],
    ...['400', '401', '403', '404', '413', '429', '500', '502'].flatMap((code): typeof failures => [
      [
        `Prefer: code=${code}`,
        ({ accountUrl, options: { account, tokens } }) => [
          `${accountUrl}/accounts/${account}/images/v2`,
          { prefer: `code=${code}`, token: tokens.api },
        ],
      ],
      [
        `Prefer: code=${code} at the delivery host`,
        ({ deliveryUrl }) => [`${deliveryUrl}/hash/image/public`, { prefer: `code=${code}` }],
      ],
    ]),
  ]
  it.each(failures)('return a failure of the same shape for %s', async (_name, requestTo) => {
    const reply = await send(...requestTo(contract))
    expect(reply.status).toBeGreaterThan(399)
    expect(shapeOf(reply)).toEqual({
      status: 'number',
      body: {
        success: 'boolean',
        errors: ['{"code":"number","message":"string"}'],
        messages: [],
        result: null,
      },
    })
    const other = await send(...requestTo(stateful))
    expect({ ...other, body: shapeOf(other.body) }).toEqual({
      ...reply,
      body: shapeOf(reply.body),
    })
  })
})

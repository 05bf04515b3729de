import { createLogger } from '@stoplight/prism-core'
import { createServer } from '@stoplight/prism-http-server'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startContractImages, type ContractImagesServer } from './images.ts'
import { operationsOf, type PrismOperation } from './prism.ts'

const hosts = ['account', 'batch', 'upload'] as const
const documents = await Promise.all(hosts.map((host) => operationsOf(`images-${host}`)))
const prisms = documents.map((operations) =>
  createServer(operations, {
    components: { logger: createLogger('prism', { level: 'silent' }) },
    config: {
      isProxy: false,
      checkSecurity: true,
      validateRequest: true,
      validateResponse: true,
      errors: false,
      upstreamProxy: undefined,
      mock: { dynamic: false },
    },
    cors: false,
  }),
)
const prismUrls = new Map<string, string>()
let mock: ContractImagesServer

beforeAll(async () => {
  for (const [index, host] of hosts.entries())
    prismUrls.set(host, await prisms[index]!.listen(0, '127.0.0.1'))
  mock = await startContractImages()
})
afterAll(async () => {
  await mock.close()
  await Promise.all(prisms.map((prism) => prism.close()))
})

const tokens: Record<string, string> = { account: 'images-token', batch: 'images-batch-token' }

/** Builds a valid request for an operation from the examples of the OpenAPI document. */
function requestFor(
  operation: PrismOperation,
  host: string,
): { path: string; init: () => RequestInit } {
  const examples = new Map(
    (operation.request?.path ?? []).map((parameter) => [
      parameter.name,
      (parameter.examples?.[0] as { value: string }).value,
    ]),
  )
  const path = operation.path.replaceAll(
    /\{(\w+)\}/g,
    (_, name: string) => examples.get(name) ?? '',
  )
  const content = operation.request?.body?.contents?.[0]
  const example = (content?.examples?.[0] as { value: Record<string, unknown> } | undefined)?.value
  const headers: Record<string, string> =
    tokens[host] === undefined ? {} : { authorization: `Bearer ${tokens[host]}` }
  const form = content?.mediaType === 'multipart/form-data'
  if (example !== undefined && !form) headers['content-type'] = 'application/json'
  const body = () =>
    example === undefined ? null : form ? formOf(example) : JSON.stringify(example)
  return {
    path,
    init: () => ({ method: operation.method.toUpperCase(), headers: { ...headers }, body: body() }),
  }
}

function formOf(example: Record<string, unknown>): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(example)) {
    // The mock returns the name of the sent file. With that of the example, it answers like Prism.
    if (name === 'file')
      form.set(name, new Blob([String(value)], { type: 'image/jpeg' }), fileNameIn(String(value)))
    else form.set(name, String(value))
  }
  return form
}

/** The name of the file in the description of its bytes. */
function fileNameIn(description: string): string {
  return /[\w-]+\.jpg/.exec(description)![0]
}

interface ComparedReply {
  status: number
  body: unknown
}

/** The reply of the mock. Its failures also have the members that published clients expect. */
function expectedOf(prismReply: ComparedReply): ComparedReply {
  if (prismReply.status === 200) return prismReply
  return { ...prismReply, body: { ...(prismReply.body as object), messages: [], result: null } }
}

async function responseOf(url: string, init: RequestInit, prefer?: string): Promise<ComparedReply> {
  if (prefer !== undefined) (init.headers as Record<string, string>)['prefer'] = prefer
  const response = await fetch(url, init)
  const text = (await response.text())
    .replaceAll(mock.uploadUrl, 'https://upload.example')
    .replaceAll(mock.deliveryUrl, 'https://delivery.example')
  return { status: response.status, body: JSON.parse(text) }
}

const cases = hosts.flatMap((host, index) =>
  documents[index]!.map((operation) => ({
    host,
    operation,
    name: operation.iid ?? operation.path,
  })),
)

describe('the mock answers valid requests like Prism itself', () => {
  test('for every operation of the documents', () => {
    expect(cases).toHaveLength(15)
  })

  test.each(cases)('$name: by default', async ({ host, operation }) => {
    const { path, init } = requestFor(operation, host)
    const prismReply = await responseOf(prismUrls.get(host) + path, init())
    expect(prismReply.status).toBe(200)
    const mockReply = await responseOf(mock[`${host}Url` as const] + path, init())
    // The mock generates the id of a ticket.
    if (operation.iid === 'createDirectUpload')
      expect(mockReply).toEqual({
        ...prismReply,
        body: {
          success: true,
          errors: [],
          messages: [],
          result: { id: expect.any(String), uploadURL: 'https://upload.example/tk-5d0c7a91' },
        },
      })
    // The mock returns the details of the stored image, which is no longer a draft.
    else if (operation.iid === 'completeDirectUpload') {
      const body = prismReply.body as { result: object }
      expect(mockReply).toEqual({
        ...prismReply,
        body: { ...body, result: { ...body.result, draft: false } },
      })
    } else expect(mockReply).toEqual(prismReply)
  })

  test.each(cases.flatMap((one) => one.operation.responses.map(({ code }) => ({ ...one, code }))))(
    '$name: Prefer: code=$code',
    async ({ host, operation, code }) => {
      const { path, init } = requestFor(operation, host)
      const prismReply = await responseOf(prismUrls.get(host) + path, init(), `code=${code}`)
      expect(prismReply.status).toBe(Number(code))
      expect(await responseOf(mock[`${host}Url` as const] + path, init(), `code=${code}`)).toEqual(
        expectedOf(prismReply),
      )
    },
  )

  const named = cases.flatMap((one) =>
    one.operation.responses.flatMap(({ code, contents }) =>
      (contents?.[0]?.examples ?? []).map(({ key }) => ({
        ...one,
        prefer: `code=${code}, example=${key}`,
      })),
    ),
  )
  test.each(named)('$name: Prefer: $prefer', async ({ host, operation, prefer }) => {
    const { path, init } = requestFor(operation, host)
    expect(await responseOf(mock[`${host}Url` as const] + path, init(), prefer)).toEqual(
      expectedOf(await responseOf(prismUrls.get(host) + path, init(), prefer)),
    )
  })
})

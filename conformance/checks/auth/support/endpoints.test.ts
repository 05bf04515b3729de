import { expect, test } from 'vitest'
import { HttpExchange, newRedactor, type HttpRequest } from '../../../wire/index.ts'
import { findServerMetadata } from './endpoints.ts'

const origin = 'http://127.0.0.1:8080'

/** Returns a function that sends no request, and returns these objects for these paths. */
const serverWith =
  (documents: Readonly<Record<string, object>>) =>
  (request: HttpRequest): Promise<HttpExchange> => {
    const document = documents[request.url.slice(origin.length)]
    return Promise.resolve(
      new HttpExchange(
        1,
        request,
        { headers: {}, text: null },
        {
          status: document === undefined ? 404 : 200,
          headers: [['content-type', 'application/json']],
          body: Buffer.from(JSON.stringify(document ?? {})),
        },
        1,
        newRedactor({}),
      ),
    )
  }

const find = (documents: Readonly<Record<string, object>>) =>
  findServerMetadata(`${origin}/auth`, { http: `${origin}/mcp` }, serverWith(documents))

test('finds the metadata of an issuer with a path', async () => {
  const { issuer, responses } = await find({
    '/.well-known/oauth-authorization-server/auth': { issuer: `${origin}/auth` },
  })
  expect([issuer, responses.length]).toEqual([`${origin}/auth`, 1])
})

test('finds the metadata of the issuer that the metadata of a resource names', async () => {
  const { issuer, responses } = await find({
    '/.well-known/oauth-protected-resource/mcp': { authorization_servers: [`${origin}/`] },
    '/.well-known/oauth-authorization-server': { issuer: origin },
  })
  expect([issuer, responses.length]).toEqual([origin, 1])
})

test('requests no metadata from another origin', async () => {
  const { responses } = await find({
    '/.well-known/oauth-protected-resource/mcp': {
      authorization_servers: ['https://other.example', 'no URL', 7],
    },
  })
  expect(responses).toEqual([])
})

import { describe, expect, it } from 'vitest'
import { crc32 } from 'node:zlib'
import { encodeBody } from './body.ts'
import { formatCurl } from './curl.ts'
import { findDifferences } from './difference.ts'
import type { HttpRequest } from './http-request.ts'
import { pngOfSize, smallPng } from './fakes/image.ts'
import { ImageServer } from './fakes/image-server.ts'
import { newRedactor } from './secrets.ts'

const redactNothing = newRedactor({})
const maskGenerated = (value: string) => value.replace(/ts1[a-z0-9]+/g, '…')
const list = (query: string): HttpRequest => ({
  operation: 'list',
  method: 'GET',
  url: `http://h/v2${query}`,
})
const fields = (...values: [string, string][]): HttpRequest => ({
  operation: 'token',
  method: 'POST',
  url: 'http://h/token',
  body: { kind: 'fields', fields: values },
})
const json = (value: unknown): HttpRequest => ({
  operation: 'post',
  method: 'POST',
  url: 'http://h/v1',
  body: { kind: 'json', value },
})

describe('differences', () => {
  it.each([
    [
      'the value of the query parameter `page`',
      list('?page=0&per_page=1'),
      list('?page=1&per_page=1'),
    ],
    ['the added query parameter `page`', list('?page=0'), list('')],
    [
      'the missing header `Authorization`',
      list(''),
      { ...list(''), headers: { Authorization: 'Bearer x' } },
    ],
    [
      'the value of the field `options.fit`',
      json({ id: 'ts1n1', options: { fit: 'x', width: 1 } }),
      json({ id: 'ts1n22', options: { fit: 'y', width: 1 } }),
    ],
    [
      'the body',
      { ...json(0), body: { kind: 'text', text: '{', type: 'application/json' } as const },
      json({ a: 1 }),
    ],
    [
      'the value of the field `code`',
      fields(['code', 'x'], ['a', 'ts1n1']),
      fields(['a', 'ts1n2'], ['code', 'y']),
    ],
    [
      'the value of the field `code`',
      fields(['code', 'ts1x'], ['code', 'ts1x']),
      fields(['code', 'ts1x']),
    ],
    ['the missing field `code`', fields(['a', '']), fields(['a', ''], ['code', ''])],
    ['the value of the query parameter `page`', list('?page=1&page=2'), list('?page=2')],
    ['the path', list(''), { ...list(''), url: 'http://h/v2/other' }],
  ])('are described as %s', (factor, refused, accepted) =>
    expect(findDifferences(refused, accepted, maskGenerated)).toEqual([factor]),
  )

  it('finds all differences, and none between equal requests', () => {
    expect(findDifferences(json({ a: 1, b: 2 }), json({ a: 2 }), maskGenerated)).toHaveLength(2)
    expect(findDifferences(json({ a: 1 }), json({ a: 1 }), maskGenerated)).toEqual([])
  })
})

describe('forms', () => {
  it('are well-formed, with names in UTF-8 and escaped quotes', () => {
    const { bytes, headers, text } = encodeBody({
      kind: 'form',
      parts: [
        {
          name: 'file',
          value: new Uint8Array([0, 255]),
          filename: 'a"\r\nü.png',
          type: 'image/png',
        },
      ],
    })
    const written = Buffer.from(bytes!).toString('latin1')
    expect(headers['Content-Type']).toMatch(/^multipart\/form-data; boundary=/)
    expect(Number(headers['Content-Length'])).toBe(bytes!.length)
    expect(Buffer.from(written, 'latin1').toString()).toContain('filename="a%22%0D%0Aü.png"')
    expect(written).toContain('\r\n\r\n\x00\xff\r\n--')
    expect(text).toContain('(2 bytes)')
  })
})

describe('fields', () => {
  const odd: [string, string][] = [
    ['b', '1 & 2=ü'],
    ['a', ''],
    ['b', '*'],
  ]

  it('keep order, repeated names, and every character', () => {
    const { bytes, headers, text } = encodeBody({ kind: 'fields', fields: odd })
    expect(Buffer.from(bytes!).toString()).toBe('b=1+%26+2%3D%C3%BC&a=&b=*')
    expect([...new URLSearchParams(Buffer.from(bytes!).toString())]).toEqual(odd)
    expect(headers).toEqual({
      'Content-Type': 'application/x-www-form-urlencoded',
      'Content-Length': '25',
    })
    expect(text).toBe('b=1 & 2=ü\na=\nb=*')
    expect(encodeBody({ kind: 'fields', fields: [] }).bytes).toHaveLength(0)
  })

  it('are written one by one in curl commands, without secrets', () => {
    const curl = formatCurl(
      fields(['a=b', "it's"], ['client_secret', 's&cret-s&cret']),
      newRedactor({ SECRET: 's&cret-s&cret' }),
      1,
    )
    expect(curl.curl).toBe(
      `curl -i --data-urlencode 'a%3Db=it'\\''s' --data-urlencode "client_secret=$SECRET" 'http://h/token'`,
    )
    expect(formatCurl(fields(), redactNothing, 1).curl).toBe("curl -i -d '' 'http://h/token'")
  })
})

describe('curl commands', () => {
  it('are quoted for a shell', () => {
    expect(formatCurl({ ...json({ a: "it's" }), headers: { A: 'b' } }, redactNothing, 1).curl).toBe(
      `curl -i -H 'A: b' -H 'Content-Type: application/json' -d '{"a":"it'\\''s"}' 'http://h/v1'`,
    )
    const form: HttpRequest = {
      operation: 'post',
      method: 'POST',
      url: 'http://h/',
      body: {
        kind: 'form',
        parts: [
          { name: 'file', value: 'x', filename: 'p.png' },
          { name: 'id', value: '@a' },
        ],
      },
    }
    expect(formatCurl(form, redactNothing, 1).curl).toBe(
      `curl -i -F 'file=@p.png' --form-string 'id=@a' 'http://h/'`,
    )
    expect(formatCurl({ ...list(''), method: 'DELETE' }, redactNothing, 1).curl).toContain(
      '-X DELETE',
    )
    const odd = { ...list(''), url: 'http://h/[1-3]', headers: { 'X-Empty': '' } }
    expect(formatCurl(odd, redactNothing, 1).curl).toBe(`curl -i -g -H 'X-Empty;' 'http://h/[1-3]'`)
    expect(formatCurl(json('@a'.repeat(300)), redactNothing, 7)).toEqual({
      curl: `curl -i -H 'Content-Type: application/json' --data-binary @exchange-7.body 'http://h/v1'`,
      bodyFile: 'exchange-7.body',
    })
  })
})

it('redacts the longer of two secrets first', () => {
  expect(
    newRedactor({ A: 'my-token', B: 'my-token-limited', C: undefined })(
      'my-token-limited and my-token',
    ),
  ).toBe('$B and $A')
})

it('redacts secrets that are added later', () => {
  const secrets: Record<string, string> = { A: 'known-before' }
  const clean = newRedactor(secrets)
  expect(clean('known-before and a-new-token')).toBe('$A and a-new-token')
  secrets['B'] = 'a-new-token'
  expect(clean('known-before and a-new-token')).toBe('$A and $B')
})

it('redacts parts of a secret in a token that is almost correct', () => {
  const clean = newRedactor({ A: '0123456789abcdef0123' })
  for (const token of ['x123456789abcdef0123', '0123456789', '0123456789abcdef0123x'])
    expect(clean(`Bearer ${token}`)).toMatch(/^Bearer x?\$Ax?$/)
})

describe('fake images', () => {
  it('have exactly the requested size, and valid chunks', () => {
    const image = Buffer.from(pngOfSize(5000))
    expect(image).toHaveLength(5000)
    let offset = 8
    const types: string[] = []
    while (offset < image.length) {
      const length = image.readUInt32BE(offset)
      types.push(image.toString('latin1', offset + 4, offset + 8))
      expect(image.readUInt32BE(offset + 8 + length)).toBe(
        crc32(image.subarray(offset + 4, offset + 8 + length)),
      )
      offset += 12 + length
    }
    expect(types).toEqual(['IHDR', 'tsNo', 'IDAT', 'IEND'])
    expect(() => pngOfSize(20)).toThrow(RangeError)
  })

  it('are served and counted, or missing on purpose', async () => {
    const served = await ImageServer.start({})
    const url = served.imageUrl('one')
    expect(Buffer.from(await (await fetch(url)).arrayBuffer())).toEqual(Buffer.from(smallPng()))
    expect((await fetch(served.missingUrl('two'))).status).toBe(404)
    expect([served.countRequests(url), served.countRequests(served.imageUrl('other'))]).toEqual([
      1, 0,
    ])
    await served.close()
    await expect(fetch(url)).rejects.toThrow()
  })

  it.each(['the server aborts them', 'the signal of the caller aborts'])(
    'stall after their first half until %s',
    async (end) => {
      const served = await ImageServer.start({})
      const cancellation = new AbortController()
      const url = served.stalledUrl('one', cancellation.signal)
      const reader = (await fetch(url)).body!.getReader()
      expect((await reader.read()).value?.length).toBeLessThan(smallPng().length)
      const rest = reader.read().then(
        () => 'more',
        () => 'broken off',
      )
      expect(
        await Promise.race([rest, new Promise((resolve) => setTimeout(resolve, 50, 'nothing'))]),
      ).toBe('nothing')
      if (end === 'the server aborts them') served.abortStalled(url)
      else cancellation.abort()
      expect(await rest).toBe('broken off')
      expect([(await fetch(url)).status, served.countRequests(url)]).toEqual([404, 2])
      await served.close()
    },
  )
})

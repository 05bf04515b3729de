import { describe, expect, test } from 'vitest'
import {
  decodeGreetingRequest,
  encodeGreetingResponse,
} from '../../../../generated/greeting/index.ts'
import { encodeFieldsOfMessage } from '../../../wire/grpc.ts'
import { bytesOf, readResponse, messageFormat } from './messages.ts'
import { Random } from '../../../engine/index.ts'
import { newNameGenerator, findNames, otherScripts } from './names.ts'

describe('names', () => {
  test('are unique, and are found in any string', () => {
    const name = newNameGenerator(new Random('names'))
    const names = Array.from({ length: 20_000 }, name)
    expect(new Set(names).size).toBe(names.length)
    expect(names.every((one) => /^[A-Z][a-z]{7}$/.test(one))).toBe(true)
    const [one, other] = names as [string, string]
    expect(findNames(`HELLO${one}and${other}!`)).toEqual([one, other])
  })

  test('in other scripts are in NFC, and none is part of another name', () => {
    for (const name of otherScripts) {
      expect(name.normalize('NFC')).toBe(name)
      expect(otherScripts.filter((other) => other.includes(name))).toEqual([name])
    }
  })
})

describe('requests', () => {
  test('have unique identifiers, unless the identifier or the bytes are given', () => {
    const [one, other] = [
      decodeGreetingRequest(bytesOf({ name: 'Ada' })),
      decodeGreetingRequest(bytesOf({ name: 'Ada' })),
    ]
    expect(one.name).toBe('Ada')
    expect(one.request_id).not.toBe(other.request_id)
    expect(decodeGreetingRequest(bytesOf({ name: 'Ada', id: null })).request_id).toBe('')
    expect(bytesOf({ name: 'Ada', bytes: Buffer.from([1]) })).toEqual(Buffer.from([1]))
  })

  test('are shown as JSON that grpcurl accepts', () => {
    expect(messageFormat.request(bytesOf({ name: 'Ada', id: '7' }))).toBe(
      '{"name":"Ada","request_id":"7"}',
    )
    expect(messageFormat.request(Buffer.from([0xff]))).toBeUndefined()
  })
})

describe('responses', () => {
  test('are decoded with unknown fields and in any order; the last of repeated fields counts', () => {
    const fields = { message: 'Hello', server_timestamp: 'now' }
    expect(readResponse(encodeGreetingResponse(fields))).toMatchObject({
      ...fields,
      decodes: true,
      fieldErrors: {},
    })
    expect(
      readResponse(
        encodeFieldsOfMessage([
          [9, 'more'],
          [2, 'now'],
          [1, 'Hello'],
        ]),
      ),
    ).toMatchObject({ ...fields, fieldErrors: {} })
    expect(
      readResponse(
        encodeFieldsOfMessage([
          [1, 'first'],
          [1, 'Hello'],
        ]),
      ),
    ).toMatchObject({ message: 'Hello', server_timestamp: '' })
  })

  test.each([
    ['invalid bytes', Buffer.from([0x0a, 9, 1]), { decodes: false }],
    [
      'a number for a string',
      Buffer.from([8, 1]),
      { decodes: true, fieldErrors: { message: 'wire type 0, which is not a string' } },
    ],
    [
      'invalid UTF-8',
      Buffer.from([0x12, 2, 0xc3, 0x28]),
      { decodes: true, fieldErrors: { server_timestamp: 'invalid UTF-8' } },
    ],
  ])('with %s are reported', (_, bytes, expected) => {
    expect(readResponse(bytes)).toMatchObject(expected)
    expect(messageFormat.response(bytes)).toBeUndefined()
  })
})

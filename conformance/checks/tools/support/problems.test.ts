import { describe, expect, it } from 'vitest'
import { flawsOf } from '../../../wire/index.ts'
import { isProblem, type Problem } from './problems.ts'

const kinds: readonly Problem[] = ['message', 'id', 'output', 'body', 'place']

describe('a problem of the wire', () => {
  it.each([
    ['message', flawsOf(42)[0]!],
    ['message', flawsOf({ jsonrpc: '2.0' })[0]!],
    ['message', 'an empty batch came'],
    ['id', 'a second response with the id 7 came'],
    ['id', 'a response came with the id "a", with which nothing was asked'],
    ['id', 'the response with the id 7 came on the stream of another request'],
    ['output', 'the output has a line that is no JSON: "INFO"'],
    ['output', 'the output ended in the middle of a line: "{"'],
    ['output', 'a line is no UTF-8'],
    [
      'body',
      'the content type is "text/plain", which is neither application/json nor text/event-stream',
    ],
    ['body', 'the body is no JSON: "hello"'],
    ['body', 'the data of an event is no JSON: "hello"'],
    ['place', 'the answer to the POST has a message in it, which belongs on the event stream'],
    ['place', 'the response came, but no answer to the POST'],
  ] as const)('is the affair of one row: %s, %s', (kind, problem) => {
    expect(kinds.filter((one) => isProblem(problem, one))).toEqual([kind])
  })

  it('is no affair of these where a message that is kept shows it', () => {
    expect(
      flawsOf({ jsonrpc: '1.0', id: 1, result: {} }).filter((flaw) =>
        kinds.some((kind) => isProblem(flaw, kind)),
      ),
    ).toEqual([])
  })
})

import { describe, expect, it } from 'vitest'
import { parametersOf, sameUri } from './uris.ts'

describe('a URI template', () => {
  it.each([
    ['shelf://books/{id}', ['id']],
    ['file:///{+path}', ['path']],
    ['x://{a,b}{?c*,d:3}', ['a', 'b', 'c', 'd']],
    ['x://{%41.b}', ['%41.b']],
    ['shelf://books', []],
  ])('%s has the parameters %j', (template, parameters) => {
    expect(parametersOf(template)).toEqual(parameters)
  })

  it.each([
    'shelf://books/{id',
    'shelf://books/id}',
    'shelf://{}',
    'shelf://{a b}',
    'shelf://{a,}',
    'shelf books/{id}',
  ])('%s is invalid', (template) => {
    expect(parametersOf(template)).toBeUndefined()
  })
})

describe('URIs', () => {
  it.each([
    ['shelf://books/b-001', 'shelf://books/b-001'],
    ['http://example.org', 'http://example.org/'],
    ['HTTP://Example.org/a', 'http://example.org/a'],
    ['demo://text/a%20b', 'demo://text/a b'],
  ])('%s and %s are the same', (one, other) => {
    expect(sameUri(one, other)).toBe(true)
  })

  it.each([
    ['shelf://books/b-001', 'shelf://books/b-002'],
    ['shelf://books/b-001', 'shelf://books/B-001'],
    ['shelf://books', 'stack://books'],
    ['shelf://books/b?x=1', 'shelf://books/b'],
  ])('%s and %s are not the same', (one, other) => {
    expect(sameUri(one, other)).toBe(false)
  })
})

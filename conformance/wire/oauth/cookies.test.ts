import { expect, it } from 'vitest'
import { CookieJar } from './cookies.ts'

const jar = (...set: [url: string, ...headers: string[]][]) => {
  const time = { now: 1_000_000 }
  const made = new CookieJar(() => time.now)
  for (const [url, ...headers] of set) made.store(url, headers)
  return { time, made, at: (url: string) => made.header(url) }
}

it('keeps cookies by host, whatever the port, and replaces them', () => {
  const { at } = jar(
    ['http://h:1/', 'a=1; HttpOnly', 'b=x=y; SameSite=Lax'],
    ['http://h:2/', 'a=2'],
    ['http://other/', 'a=3'],
  )
  expect([at('http://h:3/x'), at('http://other/'), at('http://none/')]).toEqual([
    'b=x=y; a=2',
    'a=3',
    undefined,
  ])
})

it('sends them below their path only, longer paths first', () => {
  const { at } = jar([
    'http://h/a/b',
    'root=1; Path=/',
    'folder=2',
    'deep=3; path=/a/b',
    'odd=4; Path=b',
  ])
  expect(at('http://h/a/b/c')).toBe('deep=3; folder=2; odd=4; root=1')
  expect([at('http://h/a/bc'), at('http://h/ab')]).toEqual(['folder=2; odd=4; root=1', 'root=1'])
})

it('ends them by age, by date, and at once', () => {
  const { time, at, made } = jar([
    'http://h/',
    'a=1; Max-Age=10; Expires=Thu, 01 Jan 1970 00:00:00 GMT',
    'b=2; Expires=Thu, 01 Jan 1970 00:16:45 GMT',
    'c=3; Max-Age=soon',
  ])
  expect(at('http://h/')).toBe('a=1; b=2; c=3')
  time.now += 6000
  expect(at('http://h/')).toBe('a=1; c=3')
  made.store('http://h/', ['a=; Max-Age=0', 'c=; Expires=Thu, 01 Jan 1970 00:00:00 GMT'])
  expect(at('http://h/')).toBeUndefined()
})

it('sends secure ones over TLS and to this machine only', () => {
  const { at } = jar(
    ['https://h/', 'a=1; Secure'],
    ['http://127.0.0.1:8/', 'b=2; Secure'],
    ['http://[::1]:8/', 'c=3; secure'],
  )
  expect([
    at('http://h/'),
    at('https://h/'),
    at('http://127.0.0.1:9/'),
    at('http://[::1]/'),
  ]).toEqual([undefined, 'a=1', 'b=2', 'c=3'])
})

it('keeps those of a domain for the hosts below it, and none for others', () => {
  const { at } = jar([
    'http://a.h.example/',
    'a=1; Domain=.h.example',
    'b=2; Domain=other.example',
    'c=3; Domain=example',
    'd=4; Domain=a.h.example',
    '',
    '=; x',
    'e',
  ])
  expect([
    at('http://b.h.example/'),
    at('http://a.h.example/'),
    at('http://other.example/'),
  ]).toEqual(['a=1', 'a=1; d=4; e', undefined])
})

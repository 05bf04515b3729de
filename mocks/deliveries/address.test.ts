import { expect, test } from 'vitest'
import { addressOf } from './address.ts'

test.each([
  [
    'http://127.0.0.1:9000/a/../b?x=%zz&y=%7E#part',
    {
      secure: false,
      hostname: '127.0.0.1',
      port: 9000,
      host: '127.0.0.1:9000',
      path: '/a/../b?x=%zz&y=%7E',
    },
  ],
  [
    'HTTPS://Example.com',
    { secure: true, hostname: 'example.com', port: 443, host: 'example.com', path: '/' },
  ],
  [
    'http://[::1]:81?q',
    { secure: false, hostname: '::1', port: 81, host: '[::1]:81', path: '/?q' },
  ],
  [
    'http://a:b%3Ac@h/',
    { secure: false, hostname: 'h', port: 80, host: 'h', path: '/', auth: 'a:b:c' },
  ],
  ['http://h/ü b|"', { secure: false, hostname: 'h', port: 80, host: 'h', path: '/%C3%BC%20b|"' }],
])('addressOf returns the parts of %s', (url, expected) => {
  expect(addressOf(url)).toEqual(expected)
})

test.each([
  '',
  'h',
  '/hook',
  '//h/hook',
  'ftp://h/',
  'http:/h',
  'http:h',
  'http://',
  'http:///x',
  'http://?q',
  'http://a b/',
  'http://h:99999/',
  'http://\\h/',
  ' http://h/',
  'javascript:http://h/',
])('%j is not an address', (url) => {
  expect(addressOf(url)).toBeUndefined()
})

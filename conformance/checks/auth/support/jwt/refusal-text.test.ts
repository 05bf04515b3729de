import { describe, expect, it } from 'vitest'
import type { HttpExchange } from '../../../../wire/index.ts'
import { says, containsNo } from './refusal-text.ts'

const newExchange = (body: string, headers: [string, string][] = []) =>
  ({ body: Buffer.from(body), headers, summary: body }) as unknown as HttpExchange

describe('the text of a refusal', () => {
  it.each([
    'Unauthorized',
    'Unauthorised',
    'Authentication required',
    'Missing Authorization header',
    'No token provided',
    'Please log in',
    'Access denied',
    '{"error":"unauthorized"}',
    '{"jsonrpc":"2.0","error":{"code":-32001,"message":"Unauthorized"},"id":null}',
    '<html>\r\n<head><title>401 Authorization Required</title></head>\r\n<body>\r\n<center><h1>401 Authorization Required</h1></center>\r\n<hr><center>nginx/1.27.0</center>\r\n</body>\r\n</html>\r\n',
  ])('%j says that the request is unauthorized', (text) =>
    expect(says('unauthorized').test(newExchange(text))).toBe(true),
  )

  it.each([
    'Invalid token',
    'invalid_token',
    'Forbidden',
    'jwt expired',
    'Token verification failed',
    'JWT malformed',
    'Bad signature',
    '{"detail":"Could not validate credentials"}',
  ])('%j says that the token is invalid', (text) =>
    expect(says('invalid').test(newExchange(text))).toBe(true),
  )

  it.each([
    '',
    '   ',
    'Nothing to see',
    'Not Found',
    'Internal Server Error',
    'Unauthorized. '.repeat(20),
  ])('%j says neither of these', (text) => {
    expect([
      says('unauthorized').test(newExchange(text)),
      says('invalid').test(newExchange(text)),
    ]).toEqual([false, false])
  })
})

describe('what refusals must not contain', () => {
  it.each([
    'Error: invalid signature\n    at verify (/srv/node_modules/jsonwebtoken/verify.js:171:19)',
    'TypeError: x\n    at file:///srv/auth.js:1:2',
    'Traceback (most recent call last):\n  File "/srv/app.py", line 3, in f',
    'goroutine 1 [running]:',
    'panic at src/auth.rs:12',
  ])('%j contains a stack trace', (text) =>
    expect(containsNo.trace.test(newExchange(text))).toBe(false),
  )

  it.each([
    'Invalid token',
    'Unauthorized at 10:15',
    'Forbidden: look at https://docs.example/auth',
    '{"error":"invalid_token"}',
  ])('%j contains no details', (text) => {
    expect(
      [
        containsNo.trace,
        containsNo.secret('hush-hush'),
        containsNo.claims(['other-audience']),
      ].every((one) =>
        one.test(
          newExchange(text, [
            ['date', 'Sat, 21 Nov 2026 23:00:00 GMT'],
            ['server', 'nginx/1.27.0'],
          ]),
        ),
      ),
    ).toBe(true)
  })

  it('is searched for in headers too', () => {
    expect(
      containsNo
        .claims(['other-audience'])
        .test(
          newExchange('', [
            ['www-authenticate', 'Bearer error_description="not for other-audience"'],
          ]),
        ),
    ).toBe(false)
    expect(containsNo.secret('hush-hush').test(newExchange('', [['x-debug', 'hush-hush']]))).toBe(
      false,
    )
  })
})

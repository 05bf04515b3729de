import { describe, expect, it } from 'vitest'
import type { HttpExchange } from '../../../../wire/index.ts'
import { says, tellsNo } from './refusal-text.ts'

const answer = (body: string, headers: [string, string][] = []) =>
  ({ body: Buffer.from(body), headers, summary: body }) as unknown as HttpExchange

describe('short texts', () => {
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
  ])('%j says that one is not authorized', (text) =>
    expect(says('unauthorized').test(answer(text))).toBe(true),
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
  ])('%j says that a token is invalid', (text) =>
    expect(says('invalid').test(answer(text))).toBe(true),
  )

  it.each([
    '',
    '   ',
    'Nothing to see',
    'Not Found',
    'Internal Server Error',
    'Unauthorized. '.repeat(20),
  ])('%j says neither', (text) => {
    expect([says('unauthorized').test(answer(text)), says('invalid').test(answer(text))]).toEqual([
      false,
      false,
    ])
  })
})

describe('what refusals do not tell', () => {
  it.each([
    'Error: invalid signature\n    at verify (/srv/node_modules/jsonwebtoken/verify.js:171:19)',
    'TypeError: x\n    at file:///srv/auth.js:1:2',
    'Traceback (most recent call last):\n  File "/srv/app.py", line 3, in f',
    'goroutine 1 [running]:',
    'panic at src/auth.rs:12',
  ])('%j tells where it arose', (text) => expect(tellsNo.trace.test(answer(text))).toBe(false))

  it.each([
    'Invalid token',
    'Unauthorized at 10:15',
    'Forbidden: look at https://docs.example/auth',
    '{"error":"invalid_token"}',
  ])('%j tells nothing', (text) => {
    expect(
      [tellsNo.trace, tellsNo.secret('hush-hush'), tellsNo.claims(['somebody-else'])].every((one) =>
        one.test(
          answer(text, [
            ['date', 'Sat, 21 Nov 2026 23:00:00 GMT'],
            ['server', 'nginx/1.27.0'],
          ]),
        ),
      ),
    ).toBe(true)
  })

  it('is looked for in headers too', () => {
    expect(
      tellsNo
        .claims(['somebody-else'])
        .test(
          answer('', [['www-authenticate', 'Bearer error_description="not for somebody-else"']]),
        ),
    ).toBe(false)
    expect(tellsNo.secret('hush-hush').test(answer('', [['x-debug', 'hush-hush']]))).toBe(false)
  })
})

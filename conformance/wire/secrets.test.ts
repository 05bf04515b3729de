import { describe, expect, test } from 'vitest'
import { newRedactor } from './secrets.ts'
import { base64, encodings } from './secrets.testing.ts'

const secret = 'S3cret-"value"/with&more+'
/** The longest run of characters that the encoded secret and the redacted text share. */
function longestCommon(encoded: string, redacted: string): number {
  let longest = 0
  for (let from = 0; from < encoded.length; from += 1)
    while (
      redacted.includes(encoded.slice(from, from + longest + 1)) &&
      from + longest < encoded.length
    )
      longest += 1
  return longest
}

describe('a long secret is redacted', () => {
  const redact = newRedactor({ TOKEN: secret })
  for (const [name, encode] of Object.entries(encodings))
    test(name, () => {
      const encoded = encode(secret)
      for (const text of [encoded, `"${encoded}"`, `before ${encoded} after`]) {
        for (const redacted of [redact(text), redact.sentence(text)]) {
          expect(redacted).toContain('$TOKEN')
          // A base64 character may also depend on a neighbouring byte.
          expect(longestCommon(encoded, redacted.replace('Basic', ''))).toBeLessThan(8)
        }
      }
    })
})

test('an ordinary word that begins a secret remains', () => {
  const redact = newRedactor({ SECRET: 'receiver-secret' })
  expect(redact('the receiver got receiver-secre and receiver-secret as $RECEIVER_SECRET')).toBe(
    'the receiver got $SECRET and $SECRET as $RECEIVER_SECRET',
  )
})

test('the client id in Basic credentials remains, because it is not a secret', () => {
  const redact = newRedactor({ SECRET: secret })
  expect(redact(`Basic ${base64(`client:${secret}`)}`)).toBe('Basic base64(client:$SECRET)')
  expect(redact(`Basic ${base64('client:other')}`)).toBe(`Basic ${base64('client:other')}`)
})

test('a secret that is added later is redacted, even in Basic credentials', () => {
  const secrets: Record<string, string> = { FIRST: secret }
  const redact = newRedactor(secrets)
  expect(redact('id:added-later')).toBe('id:added-later')
  secrets['LATER'] = 'added-later'
  expect(redact('id:added-later')).toBe('id:$LATER')
  expect(redact(`Basic ${base64('id:added-later')}`)).toBe('Basic base64(id:$LATER)')
})

test('replacements are not examined again', () => {
  const redact = newRedactor({ ANOTHER: 'SOMETHING', SOMETHING: 'ANOTHER-one' })
  expect(redact('SOMETHING, ANOTHER-one')).toBe('$ANOTHER, $SOMETHING')
})

describe('a short secret', () => {
  for (const short of ['TOK', 'token', 'x', 'SHORT']) {
    const redact = newRedactor({ SHORT: short, LONG: 'long-enough-secret' })
    test(`${short} is redacted where it is a whole value`, () => {
      expect(redact(short)).toBe('$SHORT')
      expect(redact(`Bearer ${short}`)).toBe('Bearer $SHORT')
      expect(redact(`Authorization: Bearer ${short}`)).toBe('Authorization: Bearer $SHORT')
      expect(redact(`X-Hook-Token: ${short}`)).toBe('X-Hook-Token: $SHORT')
      expect(redact(`{"${short}":"${short}","a":["b","${short}"]}`)).toBe(
        `{"${short}":"$SHORT","a":["b","$SHORT"]}`,
      )
      expect(redact(`a=1&token=${short}&c=2`)).toBe('a=1&token=$SHORT&c=2')
      expect(redact(`Basic ${base64(`client:${short}`)}`)).toBe('Basic base64(client:$SHORT)')
    })
    test(`${short} is not redacted elsewhere`, () => {
      for (const text of [
        `the token ${short} of the text was refused`,
        `{"text":"a ${short} b","${short}":1}`,
        `https://${short}.example/${short}?${short}s=1`,
        'long-enough-secre',
      ])
        expect(redact(text).replace('$LONG', 'long-enough-secre')).toBe(text)
    })
    test(`${short} is not redacted in a sentence of the suite`, () => {
      const sentence = `expected "${short}": a token=${short}`
      expect(redact.sentence(sentence)).toBe(sentence)
      expect(redact.sentence(short)).toBe('$SHORT')
    })
  }
})

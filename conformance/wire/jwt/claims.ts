import { listForged, without, type Candidate, type Forged, type ForgeryInput } from './forgery.ts'
import { swapCase } from '../swap-case.ts'

/**
 * In seconds, much more than the difference of two clocks that servers may tolerate: "usually no
 * more than a few minutes" (RFC 7519 §4.1.4).
 */
const tooLate = 40 * 60

/** Tokens with a valid signature and one claim that makes them invalid. */
export function forgeClaims({
  header,
  claims,
  issuer,
  audience,
  now,
  signWithSecret,
}: ForgeryInput): Forged[] {
  const having = (more: object) => signWithSecret(header, { ...claims, ...more })
  // For a repeated claim name, a server must refuse the token or use the last value (RFC 7519 §4).
  // So the last value is the wrong one.
  const havingTwice = (name: string, last: unknown) =>
    signWithSecret(
      header,
      `${JSON.stringify(claims).slice(0, -1)},"${name}":${JSON.stringify(last)}}`,
    )
  return [
    ...(issuer === undefined
      ? []
      : listForged('issuer', [
          ['of another issuer', having({ iss: 'https://somebody-else.example' })],
          [
            'of an issuer that begins like the right one',
            having({ iss: `${issuer}.somebody-else.example` }),
          ],
          [
            'of an issuer that ends like the right one',
            having({ iss: `https://somebody-else.example/${issuer}` }),
          ],
          ...otherCase(issuer).map((iss): Candidate => [
            'whose issuer has upper and lower case swapped',
            having({ iss }),
          ]),
          [
            'whose issuer has a slash added or removed at the end',
            having({ iss: otherSlash(issuer) }),
          ],
          ...shorter(issuer).map((iss): Candidate => [
            'whose issuer lacks the last character',
            having({ iss }),
          ]),
          ['without iss', signWithSecret(header, without(claims, 'iss'))],
          ['with iss in an array', having({ iss: [issuer] })],
          ['with a second iss that is wrong', havingTwice('iss', 'https://somebody-else.example')],
        ])),
    ...(audience === undefined
      ? []
      : listForged('audience', [
          ['for another audience', having({ aud: 'somebody-else' })],
          ['for an audience that begins like the right one', having({ aud: `${audience}-2` })],
          ...shorter(audience).map((aud): Candidate => [
            'whose audience lacks the last character',
            having({ aud }),
          ]),
          ...otherCase(audience).map((aud): Candidate => [
            'whose audience has upper and lower case swapped',
            having({ aud }),
          ]),
          [
            'whose audience has a slash added or removed at the end',
            having({ aud: otherSlash(audience) }),
          ],
          ['without aud', signWithSecret(header, without(claims, 'aud'))],
          ['with a second aud that is wrong', havingTwice('aud', 'somebody-else')],
          ['with an empty array in aud', having({ aud: [] })],
          ['with several audiences in one string', having({ aud: `${audience} another` })],
          ['with other audiences in an array', having({ aud: ['somebody-else', `${audience}-2`] })],
        ])),
    ...listForged('expiry', [
      ['that has expired', having({ exp: now - tooLate })],
      ['with an exp of 0', having({ exp: 0 })],
      // Libraries refuse a string in `exp`, or read it as a number. This number is in the past, so
      // they refuse the token in both cases.
      ['with a past time in a string in exp', having({ exp: String(now - tooLate) })],
      ['with a second exp that is past', havingTwice('exp', now - tooLate)],
    ]),
    ...listForged('begin', [
      ['that becomes valid in 40 minutes', having({ nbf: now + tooLate })],
      ['with a future time in a string in nbf', having({ nbf: String(now + tooLate) })],
    ]),
  ]
}

/** Removes the slash at the end of a string, or adds a slash if there is none. */
const otherSlash = (text: string): string => (text.endsWith('/') ? text.slice(0, -1) : `${text}/`)

const shorter = (text: string): string[] => (text.length > 1 ? [text.slice(0, -1)] : [])

const otherCase = (text: string): string[] => (swapCase(text) === text ? [] : [swapCase(text)])

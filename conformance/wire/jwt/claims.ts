import { listForged, without, type Candidate, type Forged, type ForgeryInput } from './forgery.ts'

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
          ['without iss', signWithSecret(header, without(claims, 'iss'))],
          ['with iss in an array', having({ iss: [issuer] })],
        ])),
    ...(audience === undefined
      ? []
      : listForged('audience', [
          ['for another audience', having({ aud: 'somebody-else' })],
          ['for an audience that begins like the right one', having({ aud: `${audience}-2` })],
          ...shorter(audience).map((aud): Candidate => [
            'for a part of the audience',
            having({ aud }),
          ]),
          ...otherCase(audience).map((aud): Candidate => [
            'for the audience in another case',
            having({ aud }),
          ]),
          ['without aud', signWithSecret(header, without(claims, 'aud'))],
          ['with an empty array in aud', having({ aud: [] })],
          ['with other audiences in an array', having({ aud: ['somebody-else', `${audience}-2`] })],
        ])),
    ...listForged('expiry', [
      ['that has expired', having({ exp: now - 3600 })],
      ['with an exp of 0', having({ exp: 0 })],
      ['with a string in exp', having({ exp: String(now + 1800) })],
    ]),
    ...listForged('begin', [['that begins in an hour', having({ nbf: now + 3600 })]]),
  ]
}

const shorter = (text: string): string[] => (text.length > 1 ? [text.slice(0, -1)] : [])

function otherCase(text: string): string[] {
  const swapped = [...text]
    .map((one) => (one === one.toLowerCase() ? one.toUpperCase() : one.toLowerCase()))
    .join('')
  return swapped === text ? [] : [swapped]
}

import type { AuthDeviation } from '../../../faults/auth/fault.ts'
import type { AuthFactor } from '../variation.ts'

/** Replaces the headers that forbid frames. */
const withFrameHeaders = (
  policy: string | undefined,
  options: string | undefined,
): AuthDeviation => ({
  changeReply(_, reply) {
    const {
      'X-Frame-Options': ownOptions,
      'Content-Security-Policy': given = '',
      ...headers
    } = reply.headers ?? {}
    if (ownOptions === undefined) return reply
    const rest = given.replace(/; frame-ancestors [^;]*/, '')
    return {
      ...reply,
      headers: {
        ...headers,
        'Content-Security-Policy':
          policy === undefined ? rest : `${rest}; frame-ancestors ${policy}`,
        ...(options === undefined ? {} : { 'X-Frame-Options': options }),
      },
    }
  },
})

/** Choices about the consent page. */
export const consent: readonly AuthFactor[] = [
  {
    requirement: 'AUTH-CONSENT-01',
    name: 'previous decisions',
    values: [
      { name: 'ignored', description: 'Asks the user every time.' },
      {
        name: 'remembered',
        description: 'Remembers which clients a user has allowed.',
        choices: { oauth: { remembersConsent: true } },
        unmet: ['AUTH-CONSENT-13'],
      },
    ],
  },
  {
    requirement: 'AUTH-CONSENT-01',
    name: 'time of sign-in',
    values: [
      { name: 'with the decision', description: 'Signs users in together with their decision.' },
      {
        name: 'first',
        description: 'Signs users in before it validates the request.',
        choices: { oauth: { signIn: 'before the request' } },
      },
    ],
  },
  {
    requirement: 'AUTH-CONSENT-04',
    name: 'cookies',
    values: [
      { name: 'set', description: 'Identifies browsers by cookies.' },
      {
        name: 'not set',
        description: 'Signs users in every time and sets no cookies.',
        choices: { oauth: { browserCookies: false } },
      },
    ],
  },
  {
    requirement: 'AUTH-CONSENT-02',
    name: 'way to deny',
    values: [
      { name: 'a button', description: 'Has a button to deny.' },
      {
        name: 'a link',
        description: 'Has a link to deny.',
        choices: { oauth: { denial: 'by a link' } },
      },
    ],
  },
  {
    requirement: 'AUTH-CONSENT-05',
    name: 'client on the page',
    values: [
      { name: 'name and id', description: 'Shows the name and the id of the client.' },
      {
        name: 'name',
        description: 'Shows only the name of the client.',
        choices: { oauth: { clientLabel: 'by name' } },
      },
      {
        name: 'id',
        description: 'Shows only the id of the client.',
        choices: { oauth: { clientLabel: 'by id' } },
      },
    ],
  },
  {
    requirement: 'AUTH-CONSENT-06',
    name: 'permissions on the page',
    values: [
      {
        name: 'descriptions and names',
        description: 'Shows descriptions and names of permissions.',
      },
      {
        name: 'descriptions',
        description: 'Shows only descriptions of permissions.',
        choices: { oauth: { showsScopeNames: false } },
      },
    ],
  },
  {
    requirement: 'AUTH-CONSENT-07',
    name: 'redirect URI on the page',
    values: [
      { name: 'in full', description: 'Shows the full redirect URI.' },
      {
        name: 'its host',
        description: 'Shows only the host of the redirect URI.',
        choices: { oauth: { redirectLabel: 'by host' } },
      },
    ],
  },
  {
    requirement: 'AUTH-CONSENT-08',
    name: 'headers against frames',
    values: [
      {
        name: 'both',
        description: 'Forbids frames with Content-Security-Policy and X-Frame-Options.',
      },
      {
        name: 'only Content-Security-Policy',
        notCombined: true,
        description: 'Forbids frames with Content-Security-Policy only.',
        deviation: withFrameHeaders("'none'", undefined),
      },
      {
        name: 'only X-Frame-Options',
        description: 'Forbids frames with X-Frame-Options only.',
        deviation: withFrameHeaders(undefined, 'SAMEORIGIN'),
      },
      {
        name: 'frames on own sites allowed',
        description: 'Allows frames on its own sites.',
        deviation: withFrameHeaders("'self' https://portal.shelf.example", 'sameorigin'),
      },
    ],
  },
]

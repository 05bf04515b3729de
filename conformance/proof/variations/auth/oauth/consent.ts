import type { AuthDeviation } from '../../../faults/auth/fault.ts'
import type { AuthFactor } from '../variation.ts'

/** Pages with other headers against frames. */
const framed = (policy: string | undefined, options: string | undefined): AuthDeviation => ({
  changeReply(_, reply) {
    const {
      'X-Frame-Options': own,
      'Content-Security-Policy': given = '',
      ...headers
    } = reply.headers ?? {}
    if (own === undefined) return reply
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

/** Freedoms of what a user decides. */
export const consent: readonly AuthFactor[] = [
  {
    requirement: 'AUTH-CONSENT-01',
    name: 'former decisions',
    levels: [
      { name: 'asks again', description: 'Asks each time.' },
      {
        name: 'remembers',
        description: 'Remembers whom a user has allowed.',
        choices: { oauth: { remembersConsent: true } },
      },
    ],
  },
  {
    requirement: 'AUTH-CONSENT-01',
    name: 'place to sign in',
    levels: [
      { name: 'where one decides', description: 'Users of its own sign in where they decide.' },
      {
        name: 'before all else',
        description: 'Users of its own sign in before their request is looked at.',
        choices: { oauth: { signIn: 'before all else' } },
      },
    ],
  },
  {
    requirement: 'AUTH-CONSENT-04',
    name: 'cookies',
    levels: [
      { name: 'given', description: 'Tells browsers apart by cookies.' },
      {
        name: 'not given',
        description: 'Users of its own sign in each time, and get no cookies.',
        choices: { oauth: { browserCookies: false } },
      },
    ],
  },
  {
    requirement: 'AUTH-CONSENT-02',
    name: 'way to deny',
    levels: [
      { name: 'a button', description: 'Users deny by a button.' },
      {
        name: 'a link',
        description: 'Users deny by a link.',
        choices: { oauth: { denial: 'by a link' } },
      },
    ],
  },
  {
    requirement: 'AUTH-CONSENT-05',
    name: 'client on the page',
    levels: [
      { name: 'name and id', description: 'Tells a client by its name and its id.' },
      {
        name: 'name',
        description: 'Tells a client by its name.',
        choices: { oauth: { clientLabel: 'by name' } },
      },
      {
        name: 'id',
        description: 'Tells a client by its id.',
        choices: { oauth: { clientLabel: 'by id' } },
      },
    ],
  },
  {
    requirement: 'AUTH-CONSENT-06',
    name: 'permissions on the page',
    levels: [
      { name: 'words and names', description: 'Tells permissions in words, with their names.' },
      {
        name: 'words',
        description: 'Tells permissions in words alone.',
        choices: { oauth: { showsScopeNames: false } },
      },
    ],
  },
  {
    requirement: 'AUTH-CONSENT-07',
    name: 'address on the page',
    levels: [
      { name: 'in full', description: 'Tells the address to which users return.' },
      {
        name: 'its host',
        description: 'Tells the host to which users return.',
        choices: { oauth: { redirectLabel: 'by host' } },
      },
    ],
  },
  {
    requirement: 'AUTH-CONSENT-08',
    name: 'headers against frames',
    levels: [
      { name: 'both', description: 'Forbids frames by its policy and by the older header.' },
      {
        name: 'policy',
        notCombined: true,
        description: 'Forbids frames by its policy alone.',
        deviation: framed("'none'", undefined),
      },
      {
        name: 'older header',
        description: 'Forbids frames by the older header alone.',
        deviation: framed(undefined, 'SAMEORIGIN'),
      },
      {
        name: 'own frames',
        description: 'Allows frames of its own.',
        deviation: framed("'self' https://portal.shelf.example", 'sameorigin'),
      },
    ],
  },
]

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
    row: 'AUTH-CONSENT-01',
    factor: 'former decisions',
    levels: [
      { name: 'asks again', says: 'Asks each time.' },
      {
        name: 'remembers',
        says: 'Remembers whom a user has allowed.',
        choices: { oauth: { remembersConsent: true } },
      },
    ],
  },
  {
    row: 'AUTH-CONSENT-01',
    factor: 'place to sign in',
    levels: [
      { name: 'where one decides', says: 'Users of its own sign in where they decide.' },
      {
        name: 'before all else',
        says: 'Users of its own sign in before their request is looked at.',
        choices: { oauth: { signIn: 'before all else' } },
      },
    ],
  },
  {
    row: 'AUTH-CONSENT-04',
    factor: 'cookies',
    levels: [
      { name: 'given', says: 'Tells browsers apart by cookies.' },
      {
        name: 'not given',
        says: 'Users of its own sign in each time, and get no cookies.',
        choices: { oauth: { browserCookies: false } },
      },
    ],
  },
  {
    row: 'AUTH-CONSENT-02',
    factor: 'way to deny',
    levels: [
      { name: 'a button', says: 'Users deny by a button.' },
      {
        name: 'a link',
        says: 'Users deny by a link.',
        choices: { oauth: { denial: 'by a link' } },
      },
    ],
  },
  {
    row: 'AUTH-CONSENT-05',
    factor: 'client on the page',
    levels: [
      { name: 'name and id', says: 'Tells a client by its name and its id.' },
      {
        name: 'name',
        says: 'Tells a client by its name.',
        choices: { oauth: { clientLabel: 'by name' } },
      },
      {
        name: 'id',
        says: 'Tells a client by its id.',
        choices: { oauth: { clientLabel: 'by id' } },
      },
    ],
  },
  {
    row: 'AUTH-CONSENT-06',
    factor: 'permissions on the page',
    levels: [
      { name: 'words and names', says: 'Tells permissions in words, with their names.' },
      {
        name: 'words',
        says: 'Tells permissions in words alone.',
        choices: { oauth: { showsScopeNames: false } },
      },
    ],
  },
  {
    row: 'AUTH-CONSENT-07',
    factor: 'address on the page',
    levels: [
      { name: 'in full', says: 'Tells the address to which users return.' },
      {
        name: 'its host',
        says: 'Tells the host to which users return.',
        choices: { oauth: { redirectLabel: 'by host' } },
      },
    ],
  },
  {
    row: 'AUTH-CONSENT-08',
    factor: 'headers against frames',
    levels: [
      { name: 'both', says: 'Forbids frames by its policy and by the older header.' },
      {
        name: 'policy',
        alone: true,
        says: 'Forbids frames by its policy alone.',
        deviation: framed("'none'", undefined),
      },
      {
        name: 'older header',
        says: 'Forbids frames by the older header alone.',
        deviation: framed(undefined, 'SAMEORIGIN'),
      },
      {
        name: 'own frames',
        says: 'Allows frames of its own.',
        deviation: framed("'self' https://portal.shelf.example", 'sameorigin'),
      },
    ],
  },
]

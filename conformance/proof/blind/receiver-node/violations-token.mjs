// Violations about the token: variants that are wrongly accepted, and right ones that are wrongly refused.
const where = 'Authentication'
const COMPARES = 'The receiver compares it with its own copy of the secret.'
const ACK = 'The receiver answers a delivery with an HTTP 2xx status to acknowledge it.'

const accepts = (name, does, accept) => ({ name, where, does, breaks: COMPARES, accept })
const refuses = (name, does, stage, when, then) => ({
  name,
  where,
  does,
  breaks: stage === 'mismatch' ? COMPARES : ACK,
  stage,
  when,
  then,
})
const flag = (name, does, breaks = COMPARES) => ({ name, where, does, breaks })

const squeeze = (text) => text.replace(/\s+/g, '')
const remembered = new Set()

export const tokenRules = [
  accepts('token-unchecked', 'accepts every token', () => true),
  accepts(
    'token-missing-accepted',
    'accepts a delivery without the token header',
    (d) => d.values.length === 0,
  ),
  accepts(
    'token-empty-accepted',
    'accepts a token header with an empty value',
    (d) => d.given === '',
  ),
  accepts(
    'token-compared-only-when-present',
    'checks the token only when it is present and not empty',
    (d) => !d.given,
  ),
  accepts(
    'token-prefix-accepted',
    'accepts a non-empty prefix of the secret',
    (d) => Boolean(d.given) && d.secret.startsWith(d.given),
  ),
  accepts('token-longer-accepted', 'accepts the secret with more text behind it', (d) =>
    d.given?.startsWith(d.secret),
  ),
  accepts('token-ending-accepted', 'accepts any token that ends with the secret', (d) =>
    d.given?.endsWith(d.secret),
  ),
  accepts(
    'token-case-ignored',
    'compares without regard to case',
    (d) => d.given?.toLowerCase() === d.secret.toLowerCase(),
  ),
  accepts(
    'token-first-eight-compared',
    'compares the first eight characters only',
    (d) => d.given?.length >= 8 && d.given.slice(0, 8) === d.secret.slice(0, 8),
  ),
  accepts(
    'token-last-character-ignored',
    'the comparison stops one character early',
    (d) => d.given?.length === d.secret.length && d.given.slice(0, -1) === d.secret.slice(0, -1),
  ),
  accepts(
    'token-first-character-ignored',
    'the comparison starts at the second character',
    (d) => d.given?.length === d.secret.length && d.given.slice(1) === d.secret.slice(1),
  ),
  accepts(
    'token-length-compared',
    'compares only the lengths',
    (d) => d.given?.length === d.secret.length,
  ),
  accepts(
    'token-order-ignored',
    'compares the characters without their order',
    (d) => [...(d.given ?? '')].sort().join('') === [...d.secret].sort().join(''),
  ),
  accepts(
    'token-secret-is-a-pattern',
    'uses the secret as a pattern; a dot matches anything',
    (d) => {
      return (
        d.given !== undefined &&
        new RegExp(`^${d.secret.replace(/[^\w.~-]/g, '\\$&')}$`).test(d.given)
      )
    },
  ),
  accepts(
    'token-inner-space-ignored',
    'ignores white space inside the token',
    (d) => d.given !== undefined && squeeze(d.given) === squeeze(d.secret),
  ),
  accepts(
    'token-quotes-stripped',
    'accepts the secret in double quotes',
    (d) => d.given === `"${d.secret}"`,
  ),
  accepts('token-percent-decoded', 'accepts a percent-encoded form of the secret', (d) => {
    try {
      return d.given !== undefined && decodeURIComponent(d.given) === d.secret
    } catch {
      return false
    }
  }),
  accepts(
    'token-base64-accepted',
    'accepts the secret in Base64 too',
    (d) => d.given === Buffer.from(d.secret).toString('base64'),
  ),
  accepts(
    'token-first-of-two',
    'of two token headers, looks at the first only',
    (d) => d.values.length > 1 && d.values[0] === d.secret && d.values[1] !== d.secret,
  ),
  accepts(
    'token-last-of-two',
    'of two token headers, looks at the last only',
    (d) => d.values.length > 1 && d.values.at(-1) === d.secret && d.values[0] !== d.secret,
  ),
  accepts(
    'token-in-comma-list',
    'accepts a comma-separated list in one header that holds the secret',
    (d) =>
      d.values.length === 1 && d.given.includes(',') && d.given.split(/\s*,\s*/).includes(d.secret),
  ),
  accepts(
    'token-non-ascii-dropped',
    'drops non-ASCII characters before the comparison',
    (d) => d.given?.replace(/[^\x20-\x7e]/g, '') === d.secret,
  ),
  accepts(
    'token-undefined-accepted',
    'accepts the words undefined and null',
    (d) => d.given === 'undefined' || d.given === 'null',
  ),
  accepts(
    'token-from-query',
    'with no header, takes the token from the URL query',
    (d) =>
      d.values.length === 0 &&
      new URLSearchParams(d.req.url.split('?')[1] ?? '').get('token') === d.secret,
  ),
  accepts(
    'token-from-authorization',
    'with no token header, takes Authorization: Bearer',
    (d) => d.values.length === 0 && d.req.headers.authorization === `Bearer ${d.secret}`,
  ),
  accepts(
    'token-unchecked-for-release',
    'does not check the token of release events',
    (d) => d.kind === 'release',
  ),
  accepts(
    'token-unchecked-for-wiki',
    'accepts wiki events whose token header is missing',
    (d) => d.kind === 'wiki_page' && d.values.length === 0,
  ),
  accepts(
    'token-unchecked-for-jobs',
    'does not check the token of job events',
    (d) => d.kind === 'job',
  ),
  accepts(
    'token-unchecked-for-unknown-events',
    'does not check the token when it does not know the event',
    (d) => d.kind === undefined,
  ),
  accepts(
    'token-checked-once-per-connection',
    'after one good delivery, trusts the connection',
    (d) => d.conn.good > 0,
  ),
  accepts(
    'token-checked-once-per-sender',
    'after one good delivery, trusts the same User-Agent',
    (d) => {
      return d.state.good > 0 && remembered.has(d.req.headers['user-agent'])
    },
  ),
  accepts(
    'token-unchecked-for-large-bodies',
    'does not check the token of bodies above 64 kB',
    (d) => Number(d.req.headers['content-length'] ?? 0) > 65536,
  ),
  accepts(
    'token-unchecked-for-chunked-bodies',
    'does not check the token of chunked bodies',
    (d) => d.req.headers['transfer-encoding'] !== undefined,
  ),
  accepts(
    'token-unchecked-after-twenty',
    'stops checking after twenty good deliveries',
    (d) => d.state.good >= 20,
  ),
  accepts(
    'token-unchecked-under-load',
    'does not check while five deliveries or more are being handled',
    (d) => d.state.active >= 5,
  ),
  accepts(
    'token-old-value-accepted',
    'still accepts the token that was refused just before',
    (d) => {
      const again = d.given !== undefined && d.given === d.state.lastRefused
      d.state.lastRefused = d.given
      return again
    },
  ),
  flag(
    'token-of-repeated-body-unchecked',
    'does not check the token of a body that it has seen before',
  ),
  flag('token-in-global-variable', 'keeps the token in a shared variable while it reads the body'),
  flag('token-header-exact-case', 'finds the token header only when it is spelt X-Hook-Token', ACK),
  flag(
    'unauthorized-without-challenge',
    'refuses with 401 without WWW-Authenticate',
    'RFC 9110: a server generating a 401 response MUST send a WWW-Authenticate header field',
  ),

  refuses(
    'mismatch-redirects-to-login',
    'redirects a wrong token to a login page instead of refusing it',
    'mismatch',
    () => true,
    { status: 302, headers: { Location: '/login' } },
  ),
  refuses(
    'mismatch-of-other-length-500',
    'a token of another length makes the comparison throw: 500',
    'mismatch',
    (d) => d.given !== undefined && d.given.length !== d.secret.length,
    500,
  ),
  refuses(
    'mismatch-non-ascii-hangs',
    'a non-ASCII token kills the handler: there is no answer',
    'mismatch',
    (d) => /[^\x00-\x7f]/.test(d.given ?? ''),
    'hang',
  ),
  refuses(
    'mismatch-missing-500',
    'a missing token header gives 500',
    'mismatch',
    (d) => d.given === undefined,
    500,
  ),
  refuses(
    'refusal-sticks-to-connection',
    "after a refusal, refuses the connection's next deliveries too",
    'head',
    (d) => d.matches && d.conn.refused > 0,
    403,
  ),
  refuses(
    'lock-out-after-three',
    'after three refusals, refuses good deliveries too',
    'head',
    (d) => d.matches && d.state.bad >= 3,
    429,
  ),
  refuses(
    'token-expires-after-hundred',
    'a good token is accepted for the first hundred deliveries only',
    'head',
    (d) => d.matches && d.state.good >= 100,
    403,
  ),
  refuses(
    'sender-remembered',
    'binds the token to the first User-Agent that used it',
    'head',
    (d) => {
      if (d.matches) d.state.agent ??= d.req.headers['user-agent']
      return d.matches && d.state.agent !== d.req.headers['user-agent']
    },
    403,
  ),
]

// The memory of token-checked-once-per-sender fills as good deliveries come in.
tokenRules.find((rule) => rule.name === 'token-checked-once-per-sender').when = (d) => {
  if (d.matches) remembered.add(d.req.headers['user-agent'])
  return false
}

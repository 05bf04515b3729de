import { kinds, type TokenRule } from './types.ts'

const T = 'Authentication › 2'
const rule = (name: string, does: string, takes: TokenRule['takes'], where = T): TokenRule => ({
  name,
  kind: 'violation',
  where,
  does,
  takes,
})

export const tokenRules: readonly TokenRule[] = [
  rule('token-unchecked', 'Any token is taken, and none.', () => true),
  rule('token-missing-taken', 'Deliveries without the header are taken.', (g) => g === undefined),
  rule('token-empty-taken', 'An empty token is taken.', (g) => g === ''),
  rule('token-wrong-taken', 'Any token is taken as long as there is one.', (g) => !!g),
  rule(
    'token-prefix-taken',
    'A token that the secret begins with is taken.',
    (g, s) => !!g && s.startsWith(g),
  ),
  rule(
    'token-suffix-taken',
    'A token that the secret ends with is taken.',
    (g, s) => !!g && s.endsWith(g),
  ),
  rule(
    'token-longer-taken',
    'A token that begins with the secret is taken.',
    (g, s) => !!g && g.startsWith(s),
  ),
  rule(
    'token-containing-taken',
    'A token that holds the secret after something else is taken.',
    (g, s) => !!g && g.length > s.length && g.endsWith(s),
  ),
  rule(
    'token-any-case',
    'The case of the token does not count.',
    (g, s) => g?.toLowerCase() === s.toLowerCase(),
  ),
  rule(
    'token-length-only',
    'A token of the right length is taken.',
    (g, s) => g?.length === s.length,
  ),
  rule(
    'token-first-eight',
    'Only the first eight characters are compared.',
    (g, s) => g?.slice(0, 8) === s.slice(0, 8),
  ),
  rule(
    'token-last-character-ignored',
    'The last character is not compared.',
    (g, s) => g?.length === s.length && g.slice(0, -1) === s.slice(0, -1),
  ),
  rule(
    'token-null-words',
    'The words null and undefined are taken.',
    (g) => g === 'null' || g === 'undefined',
  ),
  rule('token-star', 'A star is taken.', (g) => g === '*'),
  rule(
    'token-in-list',
    'A list with commas that has the secret in it is taken.',
    (g, s) => !!g && g.includes(',') && g.split(',').some((x) => x.trim() === s),
  ),
  rule('token-bearer', 'The secret after the word Bearer is taken.', (g, s) => g === 'Bearer ' + s),
  rule('token-quoted', 'The secret in double quotes is taken.', (g, s) => g === `"${s}"`),
  rule(
    'token-any-order',
    'The characters of the secret in any order are taken.',
    (g, s) => !!g && [...g].sort().join('') === [...s].sort().join(''),
  ),
  rule('token-decoded', 'A percent-encoded form of the secret is taken.', (g, s) => {
    try {
      return !!g && g.includes('%') && decodeURIComponent(g) === s
    } catch {
      return false
    }
  }),
  rule(
    'token-checked-once',
    'After one right token, all are taken.',
    (_g, _s, _d, m) => m.accepted > 0,
  ),
  rule(
    'token-checked-per-connection',
    'A connection that had the right token once is trusted.',
    (_g, _s, d) => d.socketTrusted,
  ),
  rule(
    'token-gives-up',
    'After five wrong tokens, all are taken.',
    (_g, _s, _d, m) => m.wrongTokens >= 5,
  ),
  rule(
    'token-unchecked-at-first',
    'The first delivery of all is taken with any token.',
    (_g, _s, _d, m) => m.deliveries === 1,
  ),
  rule(
    'token-unchecked-when-large',
    'The token is not checked for bodies over 4 KB.',
    (_g, _s, d) => d.text.length > 4096,
  ),
  rule(
    'token-unchecked-when-chunked',
    'The token is not checked for bodies without a length.',
    (_g, _s, d) => d.headers['content-length'] === undefined,
  ),
  rule(
    'token-unchecked-for-repeats',
    'Deliveries of known bodies are not checked again.',
    (_g, _s, d, m) => m.bodies.has(d.text),
  ),
  rule(
    'token-unchecked-without-event',
    'The token is not checked if X-Hook-Event is absent.',
    (_g, _s, d) => d.headers['x-hook-event'] === undefined,
  ),
  ...kinds.map((k) =>
    rule(
      `token-unchecked-for-${k.replace('_', '-')}`,
      `The token is not checked for deliveries of ${k}.`,
      (_g, _s, d) => d.kind === k,
      `${T}, Events › ${k}`,
    ),
  ),
]

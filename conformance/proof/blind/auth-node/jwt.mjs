// Verification of JSON Web Tokens (RFC 7519 and 7515) with HS256; the parameters are secret, issuer and audience.
import { createHmac, timingSafeEqual } from 'node:crypto'

// Bytes that are not UTF-8 make the token invalid; a byte order mark is no JSON either.
const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Base64url as RFC 7515 wants it: no padding, no other characters, no loose bits at the end. */
function decode(ctx, text, encoding = 'utf8') {
  const plain = ctx.on('jwt-padding-accepted') ? text.replace(/=+$/, '') : text
  if (!/^[A-Za-z0-9_-]*$/.test(plain)) return undefined
  const bytes = Buffer.from(plain, 'base64url')
  if (bytes.toString('base64url') !== plain) return undefined
  if (encoding === 'utf8') return strictUtf8.decode(bytes)
  return encoding ? bytes.toString(encoding) : bytes
}

function decodeObject(ctx, text, encoding) {
  try {
    const value = JSON.parse(decode(ctx, text, encoding))
    return value !== null && typeof value === 'object' && !Array.isArray(value) ? value : undefined
  } catch {
    return undefined
  }
}

function signatureIsRight(ctx, header, signingInput, signatureText) {
  const none = ctx.on('jwt-alg-none-accepted') && header.alg === 'none'
  const noneSpelt =
    ctx.on('jwt-alg-none-spelt-otherwise-accepted') &&
    header.alg !== 'none' &&
    String(header.alg).toLowerCase() === 'none'
  if ((none || noneSpelt) && signatureText === '') return true
  if (header.alg !== 'HS256') return false
  const signature = decode(ctx, signatureText, null)
  if (!signature) return false
  const expected = createHmac('sha256', ctx.jwt.secret).update(signingInput).digest()
  if (ctx.on('jwt-signature-cut-short-accepted')) {
    return (
      signature.length >= 8 &&
      signature.length <= 32 &&
      timingSafeEqual(signature, expected.subarray(0, signature.length))
    )
  }
  return signature.length === expected.length && timingSafeEqual(signature, expected)
}

function timesAreRight(ctx, claims) {
  const now = ctx.now()
  const { exp, nbf, iat } = claims
  const isDate = (value) => typeof value === 'number' && Number.isFinite(value)
  if (
    ctx.on('jwt-fractional-times-refused') &&
    [exp, nbf, iat].some((one) => isDate(one) && !Number.isInteger(one))
  )
    return false
  if (exp === undefined) {
    if (ctx.on('jwt-exp-required')) return false
  } else if (!isDate(exp)) {
    if (!(ctx.on('jwt-text-exp-never-ends') && typeof exp === 'string')) return false
  } else if (!(ctx.on('jwt-exp-zero-means-none') && exp === 0)) {
    let leeway = ctx.on('jwt-leeway-thirty-seconds') ? 30 : ctx.on('jwt-leeway-one-hour') ? 3600 : 0
    if (ctx.on('jwt-served-in-second-of-expiry')) leeway = 1
    // On the expiry time itself the token is already too old (RFC 7519, 4.1.4).
    if (now >= exp + leeway && !ctx.on('jwt-exp-ignored')) return false
  }
  if (nbf !== undefined && !ctx.on('jwt-nbf-ignored')) {
    if (!isDate(nbf)) return false
    if (now + (ctx.on('jwt-leeway-thirty-seconds') ? 30 : 0) < nbf) return false
    if (ctx.on('jwt-refused-in-second-of-nbf') && Math.floor(now) <= nbf) return false
  }
  if (iat !== undefined && !isDate(iat)) return false
  if (ctx.on('jwt-future-iat-refused') && iat !== undefined && iat > now + 5) return false
  if (
    ctx.on('jwt-long-lifetime-refused') &&
    exp !== undefined &&
    iat !== undefined &&
    exp - iat > 3600
  )
    return false
  return true
}

function issuerIsRight(ctx, iss) {
  const wanted = ctx.jwt.issuer
  if (iss === undefined) return ctx.on('jwt-issuer-optional')
  if (iss === wanted) return true
  if (typeof iss !== 'string') return false
  if (ctx.on('jwt-issuer-prefix-accepted') && iss.startsWith(wanted)) return true
  if (ctx.on('jwt-issuer-slash-ignored') && iss.replace(/\/$/, '') === wanted.replace(/\/$/, ''))
    return true
  return ctx.on('jwt-issuer-case-ignored') && iss.toLowerCase() === wanted.toLowerCase()
}

function audienceIsRight(ctx, aud) {
  const wanted = ctx.jwt.audience
  if (aud === undefined) return ctx.on('jwt-audience-optional')
  if (Array.isArray(aud) && aud.length === 0) return ctx.on('jwt-empty-audience-accepted')
  if (ctx.on('jwt-audience-list-refused') && Array.isArray(aud)) return false
  const list = typeof aud === 'string' ? [aud] : Array.isArray(aud) ? aud : []
  const judged = ctx.on('jwt-only-first-audience-read') ? list.slice(0, 1) : list
  return judged.some(
    (one) =>
      one === wanted ||
      (ctx.on('jwt-audience-part-accepted') && typeof one === 'string' && one.includes(wanted)) ||
      (ctx.on('jwt-audience-case-ignored') &&
        typeof one === 'string' &&
        one.toLowerCase() === wanted.toLowerCase()),
  )
}

/** The user of a good token, or undefined. */
export function verify(ctx, token) {
  const parts = token.split('.')
  if (parts.length !== 3) return undefined
  const header = decodeObject(ctx, parts[0])
  if (!header) return undefined
  // An extension that is marked critical and not understood makes the token invalid; none is understood here.
  if (header.crit !== undefined && !ctx.on('jwt-crit-ignored')) return undefined
  if (
    ctx.on('jwt-typ-checked') &&
    header.typ !== undefined &&
    !/^(application\/)?(at\+)?jwt$/i.test(header.typ)
  )
    return undefined
  if (!signatureIsRight(ctx, header, `${parts[0]}.${parts[1]}`, parts[2])) return undefined
  const claims = decodeObject(
    ctx,
    parts[1],
    ctx.on('jwt-claims-read-as-latin1') ? 'latin1' : 'utf8',
  )
  if (!claims) return undefined
  if (
    !timesAreRight(ctx, claims) ||
    !issuerIsRight(ctx, claims.iss) ||
    !audienceIsRight(ctx, claims.aud)
  )
    return undefined
  const login = claims.login ?? claims.sub ?? null
  return {
    login: login === null ? null : String(login),
    email: claims.email ?? null,
    name: claims.name ?? null,
  }
}

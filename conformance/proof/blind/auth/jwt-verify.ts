import { createHmac, timingSafeEqual } from 'node:crypto'
import { isObject, parseJson, textOf, topLevelMembers } from './json.ts'
import type { JsonObject } from './json.ts'
import type { IsOn } from './switches.ts'

export interface JwtRules {
  readonly on: IsOn
  readonly secret: string
  readonly issuer: string
  readonly audience: string
}

export type JwtFault =
  | 'malformed'
  | 'not JSON'
  | 'header'
  | 'signature'
  | 'claims'
  | 'expired'
  | 'not yet valid'
  | 'issuer'
  | 'audience'

export type JwtOutcome = { readonly claims: JsonObject } | { readonly fault: JwtFault }

const hashes: Readonly<Record<string, string>> = {
  HS256: 'sha256',
  HS384: 'sha384',
  HS512: 'sha512',
}

const knownHeaderFields = ['alg', 'typ', 'kid', 'cty', 'jwk', 'crit']
const knownClaims = [
  'iss',
  'sub',
  'aud',
  'exp',
  'nbf',
  'iat',
  'jti',
  'login',
  'email',
  'preferred_username',
]

/** Verifies tokens of one server; it remembers tokens only where a switch says so. */
export class JwtVerifier {
  readonly #rules: JwtRules
  readonly #signedInputs = new Set<string>()
  readonly #acceptedTokens = new Set<string>()

  constructor(rules: JwtRules) {
    this.#rules = rules
  }

  verify(token: string): JwtOutcome {
    const { on } = this.#rules
    const parts = token.split('.')
    if (parts.length !== 3 && !(parts.length === 4 && on('extra-segment-accepted'))) {
      return { fault: 'malformed' }
    }
    const [headerPart = '', payloadPart = '', signature = ''] = parts
    const alphabet = on('foreign-characters-accepted') ? /^[\w+/=-]*$/ : /^[\w-]*$/
    if (!parts.every((part) => alphabet.test(part)) || headerPart === '' || payloadPart === '') {
      return { fault: 'malformed' }
    }
    const header = parseJson(decodePart(headerPart, 'utf8'))
    const payloadText = decodePart(payloadPart, on('claims-read-as-latin1') ? 'latin1' : 'utf8')
    const claims = this.#readClaims(payloadText)
    if (header === undefined || claims === undefined) {
      return { fault: 'not JSON' }
    }
    if (!isObject(header) || !this.#headerAccepted(header)) {
      return { fault: 'header' }
    }
    if (!this.#signatureAccepted(header, `${headerPart}.${payloadPart}`, signature)) {
      return { fault: 'signature' }
    }
    if (!isObject(claims)) {
      return { fault: 'claims' }
    }
    const fault = this.#claimsFault(claims, payloadText, this.#acceptedTokens.has(token))
    if (fault !== undefined) {
      return { fault }
    }
    if (on('verified-token-kept')) this.#acceptedTokens.add(token)
    return { claims }
  }

  #readClaims(text: string): unknown {
    const claims = parseJson(text)
    if (this.#rules.on('first-duplicate-claim-wins') && isObject(claims)) {
      for (const member of topLevelMembers(text).reverse()) {
        claims[member.name] = parseJson(member.raw)
      }
    }
    return claims
  }

  #headerAccepted(header: JsonObject): boolean {
    const { on } = this.#rules
    if ('crit' in header && !on('crit-ignored')) {
      return false
    }
    if (
      on('extra-header-fields-refused') &&
      !Object.keys(header).every((name) => knownHeaderFields.includes(name))
    ) {
      return false
    }
    if (on('typ-checked') && 'typ' in header) {
      const type = (textOf(header['typ']) ?? '').toLowerCase().replace(/^application\//, '')
      return type === 'jwt' || type === 'at+jwt'
    }
    return true
  }

  #signatureAccepted(header: JsonObject, input: string, signature: string): boolean {
    const { on } = this.#rules
    const alg = textOf(header['alg']) ?? ''
    if (on('signature-checked-once') && this.#signedInputs.has(input)) return true
    if (on('kid-skips-signature') && typeof header['kid'] === 'string') return true
    if (alg.toLowerCase() === 'none') {
      return alg === 'none' ? on('alg-none-accepted') : on('alg-none-odd-case-accepted')
    }
    if (alg === 'HS512' && on('hs512-unverified')) return true
    if (!alg.startsWith('HS') && alg !== 'hs256') {
      return alg !== '' && on('unknown-alg-unverified')
    }
    const hash = this.#hashFor(alg)
    if (hash === undefined) return false
    const right = this.#keys(header).some((key) =>
      this.#sameSignature(createHmac(hash, key).update(input).digest(), signature),
    )
    if (right) this.#signedInputs.add(input)
    return right
  }

  #hashFor(alg: string): string | undefined {
    const { on } = this.#rules
    if (alg === 'hs256') return on('alg-lower-case-accepted') ? hashes['HS256'] : undefined
    if (alg === 'HS256' || on('hs384-hs512-verified')) return hashes[alg]
    return undefined
  }

  #keys(header: JsonObject): Buffer[] {
    const { on, secret } = this.#rules
    const keys = [Buffer.from(secret)]
    if (on('empty-secret-accepted')) keys.push(Buffer.alloc(0))
    if (on('secret-start-accepted')) keys.push(Buffer.from(secret.slice(0, 16)))
    const jwk = header['jwk']
    if (on('header-jwk-trusted') && isObject(jwk) && typeof jwk['k'] === 'string') {
      keys.push(Buffer.from(jwk['k'], 'base64url'))
    }
    return keys
  }

  #sameSignature(expected: Buffer, given: string): boolean {
    const { on } = this.#rules
    const text = expected.toString('base64url')
    if (on('signature-start-compared')) return given.slice(0, 10) === text.slice(0, 10)
    if (on('signature-case-ignored')) return given.toLowerCase() === text.toLowerCase()
    const bytes = Buffer.from(given, 'base64url')
    const same = bytes.length === expected.length && timingSafeEqual(bytes, expected)
    const exactText = bytes.toString('base64url') === given
    return (
      same &&
      (exactText || on('signature-spare-bits-accepted') || on('foreign-characters-accepted'))
    )
  }

  #claimsFault(claims: JsonObject, text: string, acceptedBefore: boolean): JwtFault | undefined {
    const { on } = this.#rules
    const names = topLevelMembers(text).map((member) => member.name)
    if (on('duplicate-claims-refused') && new Set(names).size < names.length) return 'claims'
    if (on('extra-claims-refused') && !names.every((name) => knownClaims.includes(name))) {
      return 'claims'
    }
    const timeFault = acceptedBefore ? undefined : this.#timeFault(claims)
    if (timeFault !== undefined) return timeFault
    if (!this.#issuerAccepted(claims['iss'])) return 'issuer'
    if (!this.#audienceAccepted(claims['aud'])) return 'audience'
    return undefined
  }

  #timeFault(claims: JsonObject): JwtFault | undefined {
    const { on } = this.#rules
    const now = Date.now() / 1000
    const leeway = on('clock-leeway-60') ? 60 : 0
    const { exp, nbf, iat } = claims
    if (exp === undefined ? on('exp-required') : typeof exp !== 'number') {
      if (!(typeof exp === 'string' && on('exp-text-ignored'))) return 'claims'
    }
    if (typeof exp === 'number') {
      if (on('exp-fraction-refused') && !Number.isInteger(exp)) return 'claims'
      const grace = on('expired-one-day-accepted') ? 86_400 : leeway
      if (now >= exp + grace && !on('expired-accepted')) return 'expired'
    }
    if (nbf !== undefined && typeof nbf !== 'number') {
      if (!(typeof nbf === 'string' && on('nbf-text-ignored'))) return 'claims'
    }
    if (typeof nbf === 'number' && now < nbf - leeway && !on('nbf-ignored')) return 'not yet valid'
    if (iat !== undefined && typeof iat !== 'number') return 'claims'
    if (typeof iat === 'number') {
      if (on('future-iat-refused') && iat > now + 60) return 'not yet valid'
      const lifetime = typeof exp === 'number' ? exp - iat : 0
      if (on('lifetime-over-60-minutes-refused') && lifetime > 3600) return 'claims'
    }
    return undefined
  }

  #issuerAccepted(given: unknown): boolean {
    const { on, issuer } = this.#rules
    if (on('issuer-ignored')) return true
    if (given === undefined) return on('issuer-missing-accepted')
    if (typeof given !== 'string') return false
    if (on('issuer-start-accepted') && given.startsWith(issuer)) return true
    if (on('issuer-slash-accepted') && given === `${issuer}/`) return true
    if (on('issuer-case-ignored') && given.toLowerCase() === issuer.toLowerCase()) return true
    return given === issuer
  }

  #audienceAccepted(given: unknown): boolean {
    const { on, audience } = this.#rules
    if (on('audience-ignored')) return true
    if (given === undefined) return on('audience-missing-accepted')
    const accepted = (entry: unknown): boolean =>
      entry === audience ||
      (on('audience-start-accepted') && typeof entry === 'string' && entry.startsWith(audience))
    if (!Array.isArray(given)) return accepted(given)
    if (on('audience-list-refused')) return false
    if (on('audience-list-unchecked')) return true
    return on('audience-first-only') ? accepted(given[0]) : given.some(accepted)
  }
}

export function decodePart(part: string, encoding: BufferEncoding): string {
  return Buffer.from(part, 'base64url').toString(encoding)
}

import { createPrivateKey, createPublicKey, X509Certificate, type KeyObject } from 'node:crypto'

/**
 * The secret with which the attacker signs tokens: not the server's secret, which the attacker does
 * not know.
 */
export const attackersSecret = 'a secret that the suite generated, and no server knows'

/** The attacker's key pair, in the forms in which a token may present it. */
export interface AttackersKey {
  privateKey: KeyObject
  /** The public key, as PEM. */
  pem: string
  /** The public key, as a JSON Web Key. */
  jwk: Record<string, unknown>
  /**
   * An untrusted certificate of the public key, in two forms: DER in base64, as in the header
   * `x5c`, and PEM.
   */
  x5c: string
  certificate: string
}

let cachedKey: AttackersKey | undefined

/** The attacker's key. It is not a secret, because no server trusts it. */
export function attackersKey(): AttackersKey {
  if (cachedKey !== undefined) return cachedKey
  const privateKey = createPrivateKey({
    key: Buffer.from(privateKeyDer, 'base64'),
    format: 'der',
    type: 'pkcs8',
  })
  const publicKey = createPublicKey(privateKey)
  cachedKey = {
    privateKey,
    pem: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    jwk: { ...publicKey.export({ format: 'jwk' }), kid: attackersKid, use: 'sig' },
    x5c: certificate,
    certificate: new X509Certificate(Buffer.from(certificate, 'base64')).toString(),
  }
  return cachedKey
}

/** The key id of the attacker's key. */
export const attackersKid = 'attacker-key'

/**
 * The JSON Web Key Set that the suite serves at the URL in the `jku` header of forged tokens.
 *
 * @see https://www.rfc-editor.org/rfc/rfc7517#section-5
 */
export const attackersJwks = (): { keys: Record<string, unknown>[] } => ({
  keys: [{ ...attackersKey().jwk, alg: 'RS256' }, attackersSecretJwk()],
})

/** The attacker's secret as a JSON Web Key. */
export const attackersSecretJwk = (): Record<string, unknown> => ({
  kty: 'oct',
  k: Buffer.from(attackersSecret).toString('base64url'),
  kid: `${attackersKid}-secret`,
  alg: 'HS256',
})

const privateKeyDer =
  'MIIEvgIBADANBgkqhkiG9w0BAQEFAASCBKgwggSkAgEAAoIBAQCZB1Zp63ST/tUqwTh2MXrn3+CUi6Uzo7LvJSPe9+Ik6ijkAffbIPoZptnYkQUpCeSHZmPTgz6YqIbOFwBWJxoHFhXJ' +
  'xi6aLPzrNZk/Fx73G1gQFy2LKyX1md1MemQ4USsX0uu4Qiy4muB0Z0ke1xsEWJZ/Osj+KjtOiyGK0QjJC5P29VB0NK4zhysKrFSOFgAlKDJkZizJaifSzdniTOs3A6ZJByZC3u7DEyTE' +
  'yjJ27SCMN8+SYpIp/k67VnuzQ9YcQbOnKfpbdsbXt9zpH4MNtI6PBD16XPRa0U2DLHZMaRzNTJdlTc7I0utxWhAdD3ad3k5bufa1Su2p35mfLcqXAgMBAAECggEAHXwz8sGq2y8xPIUx' +
  'T1i2UUIqQATuJlaGzhxOXpJNkQZLLa+RZbfjaJjlBZzfrSoaTdp1JpZ1s61ZGBGHf5IWKkJfnVqhtRQxAVL4/ZaDYWJz49nLbTK5pCpq4Ob+M3m0P2llAMJDYqh40gTqqlYQ/xPgn5Ag' +
  'lRRnC/mz0072jeHwSeIkho9ngMkzMWb/wtcAvcICffLxneOWPKv9Fsq+Xc/avGmPQCpuFQB1bmFWOhMJwG//9uAI3Vg9/eNcyVldtX3Q1jREhORubVr7ZoRaRCOW85HPH5wbypQ6kuNT' +
  'N1swdZpwhzhnMxR1+kci3N++J24bOct7ztWm2qgVNr48sQKBgQDS3uqJ55fxECT1W5iVrG0t70F4OY9T2DudRgSYfheLgtvSj5kUyqD9ryfpznNHzhi5nL4/KGPP//ntPWoONJQNT2E0' +
  'L40RrIhDFfpufgk/VydSqUs313BhlJc7GaeJT0Sx/wm0VTEVNMUBshF1su/X9oNWKW0gnfjZVYSN8Otz8QKBgQC5x2WKZP/0Y5W0P1uR//ZqS39O+TtkHwFZg5FBaomBJK10+3GVFC4K' +
  '4HmKHLYWSgwLorHyJ1tsJbePDaSv+gFpzYujQlpjUqi/gZuE6VVRj1NxfxrGiaYbDAwhNZI5DN21PjZGPHtFSqG0IT3QopJ3iHa9m+D4d8/R+BLBBJqPBwKBgQCaNLYjfx9YBExiuUcO' +
  'PXfiHZMtDjrIP9rommmF8r/ZICsNAkIaOEwe+FYh3v3ixs7B/eQKX8kONM1aNo02MjEKwr/838Ez6Y4EMTBgWP7+OQfipTcCcSQX2Af4CjzAZx1/ZVh9bcdlEJ/5K3UlM2O99OH6wnSx' +
  'Y5S1qpozCrnEoQKBgQC18kRPQ1WuSy3eB0MufUoflmtLtCpnhzoyKfnD4Ixk77/11yDJiacCPhCqpC3tLH4ZkzDF4afXBiV9NDZ7ptVlgspkjWKq7dSZIl1m0YMeyslFWd+mXD9TM/xZ' +
  'NfdMan5kuFY9eZSdK1eta/T3dZEPApaQYq71iZn+oP/1DAY3VwKBgAHMByW0eWGILhJ6C0BHPtASMguN2+jQwW/a7/NOeAFRk0ag+MMxuvsuXgogT9F4lGmOi4sZagDEZUXIVssK2uGb' +
  'PaZf2+/whoKthks5j1AxB/8RH40+Cdu1EJqBNFDh2lQm/zhNRQbRaqJnsC2muihOPRzS9wlsTGmOBPi+qP5g'

const certificate =
  'MIICrDCCAZQCAQEwDQYJKoZIhvcNAQELBQAwGzEZMBcGA1UEAwwQYXR0YWNrZXIuZXhhbXBsZTAgFw0yMDAxMDEwMDAwMDBaGA8yMTIwMDEwMTAwMDAwMFowGzEZMBcGA1UEAwwQYXR0' +
  'YWNrZXIuZXhhbXBsZTCCASIwDQYJKoZIhvcNAQEBBQADggEPADCCAQoCggEBAJkHVmnrdJP+1SrBOHYxeuff4JSLpTOjsu8lI9734iTqKOQB99sg+hmm2diRBSkJ5IdmY9ODPpiohs4X' +
  'AFYnGgcWFcnGLpos/Os1mT8XHvcbWBAXLYsrJfWZ3Ux6ZDhRKxfS67hCLLia4HRnSR7XGwRYln86yP4qO06LIYrRCMkLk/b1UHQ0rjOHKwqsVI4WACUoMmRmLMlqJ9LN2eJM6zcDpkkH' +
  'JkLe7sMTJMTKMnbtIIw3z5Jikin+TrtWe7ND1hxBs6cp+lt2xte33Okfgw20jo8EPXpc9FrRTYMsdkxpHM1Ml2VNzsjS63FaEB0Pdp3eTlu59rVK7anfmZ8typcCAwEAATANBgkqhkiG' +
  '9w0BAQsFAAOCAQEAYXfhC96GltoCK+PRbgGZHlOZiIMgZvHWBvwyyr2yjOb/Au72K+zSETmAE0B4FLZnVj84OBxzVuPYTwQ+KqUA4umP0SpHhxnLMRCGiThFrhYI4NhgYaLX0f0Qz8WP' +
  '4vc5bvFLtBS8sygoyP28gTTGoYxlEu6k834ExLssS2gYVR8SMrndEh6bF9N57jdzBAYj7/6AuiKGNE5ie4DaYLjuWiC35oqacPdSyfFwJpc5ZdrBF7goRA5FwfLx2NhLQaENcnt0Zcv/' +
  'bpZLQmcpFjEud9i2nmGiBbifIMDhwBT6YAB+NatG3MNOenQV42ye4KfqjOYh/z3LvH3g9RK/av9/gQ=='

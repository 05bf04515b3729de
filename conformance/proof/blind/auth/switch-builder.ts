import type { Pattern } from './types.ts'

export interface Built<K extends 'choice' | 'violation', P extends Pattern, N extends string> {
  readonly name: N
  readonly kind: K
  readonly pattern: P
  readonly where: string
  readonly does: string
}

function builder<K extends 'choice' | 'violation', P extends Pattern>(kind: K, pattern: P) {
  return <N extends string>(name: N, where: string, does: string): Built<K, P, N> => ({
    name,
    kind,
    pattern,
    where,
    does,
  })
}

export const jwtChoice = builder('choice', 'jwt')
export const jwtViolation = builder('violation', 'jwt')
export const proxyChoice = builder('choice', 'oauth-proxy')
export const proxyViolation = builder('violation', 'oauth-proxy')
export const providerChoice = builder('choice', 'oauth-provider')
export const providerViolation = builder('violation', 'oauth-provider')

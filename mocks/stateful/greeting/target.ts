import type { GreetingServer } from '../greeting.ts'

/** The part of a target file that gives everything of a started server. Certificates are PEM texts; a file names files. */
export function targetOf({ address, ca, options: { service, token }, choices }: GreetingServer) {
  // Only where each request is answered, whatever it holds.
  const { pairing, emptyName, missingId, repeatedId } = choices
  const isPaired =
    pairing === 'one' && [emptyName, missingId, repeatedId].every((choice) => choice !== 'skip')
  return {
    greeting: {
      address,
      service,
      ...(token === undefined ? {} : { metadata: { authorization: `Bearer ${token}` } }),
      ...(ca === undefined ? {} : { tls: { ca } }),
      ...(isPaired ? { relationship: 'one-to-one' as const } : {}),
    },
  }
}

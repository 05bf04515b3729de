import type { HooksFault } from './fault.ts'
import { fault, onFields, onMessage, replaceRules } from './building.ts'

const isSecure = (url: string) => url.startsWith('https:')

/** Faults in the verification of certificates. */
export const tls: readonly HooksFault[] = [
  fault(
    'certificates-are-never-verified',
    'Delivers over TLS without verifying certificates.',
    ['EVT-AUTH-01', 'HOOK-CONFIG-20'],
    replaceRules({ verifiesTls: () => false }),
  ),
  fault(
    'certificates-are-always-verified',
    'Verifies certificates although enable_ssl_verification is false.',
    ['EVT-AUTH-02'],
    replaceRules({ verifiesTls: () => true }),
  ),
  fault(
    'verification-is-off-by-default',
    'Does not verify certificates if a creation does not contain enable_ssl_verification.',
    ['HOOK-CONFIG-20'],
    onFields((fields, hit) => {
      if (fields['enable_ssl_verification'] !== undefined) return fields
      hit()
      return { ...fields, enable_ssl_verification: false }
    }),
  ),
  fault(
    'verification-is-the-other-way-round',
    'Verifies certificates only if enable_ssl_verification is false.',
    ['EVT-AUTH-01', 'EVT-AUTH-02'],
    onFields((fields, hit) => {
      if (typeof fields['enable_ssl_verification'] !== 'boolean') return fields
      hit()
      return { ...fields, enable_ssl_verification: !fields['enable_ssl_verification'] }
    }),
  ),
  fault(
    'verification-is-given-up',
    'Sends a failed delivery again, without verifying the certificate.',
    ['EVT-AUTH-01', 'HOOK-CONFIG-20'],
    (hit) => ({
      choices: { retries: 1 },
      rules: { retryDelayMs: 0 },
      beforeDelivery: (delivery) => {
        if (delivery.attempt === 1 || !delivery.rejectUnauthorized) return delivery
        hit()
        return { ...delivery, rejectUnauthorized: false }
      },
    }),
  ),
  fault(
    'nothing-goes-over-tls',
    'Sends nothing to https URLs.',
    ['EVT-AUTH-02'],
    onMessage(
      () => undefined,
      ({ url }) => isSecure(url),
    ),
  ),
]

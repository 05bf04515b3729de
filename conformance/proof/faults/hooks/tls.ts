import type { EventName } from '../../../../mocks/deliveries/events.ts'
import { defaultRules } from '../../../../mocks/stateful/hooks.ts'
import type { HooksFault } from './fault.ts'
import { fault, onFields, onMessage, replaceRules, withoutHeader } from './building.ts'

const isSecure = (url: string) => url.startsWith('https:')

/**
 * Does not verify certificates for deliveries of events in the project. For deliveries of test
 * calls, it does.
 */
const unverifiedEvents =
  (isSelected: (event: EventName) => boolean): HooksFault['make'] =>
  (hit) => {
    const caused = new Set<string>()
    return {
      rules: {
        receivesEvent: (hook, flag, project) => {
          const isReceived = defaultRules.receivesEvent(hook, flag, project)
          if (isReceived) caused.add(`${hook.id} ${flag}`)
          return isReceived
        },
      },
      beforeDelivery: (delivery) => {
        const { hook, trigger, event } = delivery
        if (!caused.has(`${hook.id} ${trigger}`) || !isSelected(event)) return delivery
        hit()
        return { ...delivery, rejectUnauthorized: false }
      },
    }
  }

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
    'newest-hook-decides-about-certificates',
    'Verifies certificates for all hooks of a project or for none, as the newest hook requires.',
    ['EVT-AUTH-01', 'EVT-AUTH-02'],
    (hit) => {
      let newest: boolean | undefined
      return {
        around: async (call, next) => {
          const reply = await next()
          newest = call.server.store.list().at(-1)?.enable_ssl_verification
          return reply
        },
        beforeDelivery: (delivery) => {
          if (newest === undefined || newest === delivery.rejectUnauthorized) return delivery
          hit()
          return { ...delivery, rejectUnauthorized: newest }
        },
      }
    },
  ),
  fault(
    'hooks-with-a-token-are-not-verified',
    'Does not verify certificates by default if a creation contains a token.',
    ['HOOK-CONFIG-20'],
    onFields((fields, hit) => {
      if (fields['enable_ssl_verification'] !== undefined || fields['token'] === undefined)
        return fields
      hit()
      return { ...fields, enable_ssl_verification: false }
    }),
  ),
  fault(
    'only-test-calls-verify-certificates',
    'Does not verify certificates for events of the project.',
    ['EVT-AUTH-01'],
    unverifiedEvents(() => true),
  ),
  fault(
    'certificates-of-releases-are-not-verified',
    'Does not verify certificates for releases of the project.',
    ['EVT-AUTH-01'],
    unverifiedEvents((event) => event === 'release'),
  ),
  fault(
    'failed-deliveries-are-sent-without-tls',
    'Sends a delivery again without TLS if the certificate is not trusted.',
    ['EVT-AUTH-01', 'HOOK-CONFIG-20'],
    (hit) => ({
      choices: { retries: 1 },
      rules: { retryDelayMs: 0 },
      beforeDelivery: (delivery) => {
        if (delivery.attempt === 1 || !isSecure(delivery.url)) return delivery
        hit()
        return { ...delivery, url: delivery.url.replace(/^https/, 'http') }
      },
    }),
  ),
  fault(
    'no-token-goes-over-tls',
    'Sends no X-Hook-Token to https URLs.',
    ['EVT-HEADER-01'],
    onMessage(
      (delivery) => withoutHeader(delivery, 'X-Hook-Token'),
      ({ url, hook }) => isSecure(url) && hook.token !== undefined,
    ),
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

import { printableJson } from '../../../conformance/engine/index.ts'
import type { RequestEntry } from '../../../mocks/registry.ts'

/** Writes the request log: one line of text, or of JSON, for each request. */
export interface RequestLog {
  add(entry: RequestEntry): void
  /** Hides these secrets from now on, in case a client sends one in a path. */
  hide(secrets: Iterable<string>): void
}

/** Shorter secrets are not searched for, because they are part of many words. */
const minSecretLength = 4

export function newRequestLog(
  asJson: boolean,
  write: (line: string) => void = (line) => void process.stderr.write(line),
): RequestLog {
  const hiddenSecrets = new Set<string>()
  const withoutSecrets = (text: string) =>
    [...hiddenSecrets].reduce((shown, secret) => shown.replaceAll(secret, '…'), text)
  return {
    add(entry) {
      const shown = { ...entry }
      for (const name of ['path', 'call', 'event', 'to', 'reason'] as const)
        if (shown[name] !== undefined) shown[name] = withoutSecrets(shown[name])
      write(`${asJson ? printableJson(shown) : formatEntry(shown)}\n`)
    },
    hide(secrets) {
      for (const secret of secrets) {
        if (secret.length < minSecretLength) continue
        hiddenSecrets.add(secret).add(encodeURIComponent(secret))
      }
    },
  }
}

function formatEntry({
  server,
  method,
  path,
  call,
  event,
  status,
  grpc,
  ms,
  delivery,
  hook,
  attempt = 1,
  to,
  injected,
  ignored,
  reason,
  requirement,
}: RequestEntry): string {
  const sent =
    delivery === undefined ? undefined : `delivery of ${delivery} for hook ${hook} to ${to}`
  const request = [server, sent, method, path, call, event, status ?? undefined, grpc]
  const retry = attempt > 1 ? `attempt ${attempt}` : undefined
  const failed = [retry, injected, requirement, reason].filter(isPresent).join(': ')
  const why = [ignored, failed].filter((part) => isPresent(part) && part !== '').join('; ')
  return `${request.filter(isPresent).join(' ')} ${ms} ms${why === '' ? '' : ` (${why})`}`
}

const isPresent = (part: string | number | undefined): part is string | number => part !== undefined

import { readValue } from '../../../conformance/target-file/kinds.ts'
import { belongsTogether } from '../../../conformance/target-file/pem.ts'
import type { GrpcTls } from '../../../conformance/wire/index.ts'
import { UsageError } from '../../print-error.ts'
import { pem } from '../pem.ts'

/** The options as commander returns them. */
export interface GreetOptions {
  service?: string
  metadata?: string[]
  tls?: boolean
  ca?: string
  cert?: string
  key?: string
  insecure?: boolean
  json?: boolean
}

/** The address of the service, and how to call it. */
export interface Settings {
  address: string
  tls: GrpcTls | undefined
  metadata: Readonly<Record<string, string>>
  service: string | undefined
}

/** Returns the host and port of a URL; undefined for other text. */
const hostAndPortOf = (text: string): string | undefined =>
  /^\w+:\/\/([\w.[\]:-]+:\d+)(?:[/?#]|$)/.exec(text)?.[1]

/** Reads the command line. Throws `UsageError`. */
export function settingsOf(
  given: string,
  { service, metadata = [], tls = false, ca, cert, key, insecure = false }: GreetOptions,
): Settings {
  const address = readValue({ kind: 'address' }, { value: given, loose: true })
  if ('wrong' in address)
    throw new UsageError(
      `ADDRESS ${address.wrong}.\nNext: npx touchstone greet ${hostAndPortOf(given) ?? '127.0.0.1:50051'}`,
    )
  if (/:0+$/.test(given))
    throw new UsageError(
      'ADDRESS has port 0, at which no service listens: name the port of the service.',
    )
  if (insecure && ca !== undefined)
    throw new UsageError('--insecure and --ca contradict each other: remove one of them.')
  if ((cert === undefined) !== (key === undefined))
    throw new UsageError('--cert and --key must be set together: a certificate needs its key.')
  const secure = tls || insecure || ca !== undefined || cert !== undefined
  const files = {
    ...(ca === undefined ? {} : { ca: pem('--ca', ca, 'certificate') }),
    ...(cert === undefined ? {} : { cert: pem('--cert', cert, 'certificate') }),
    ...(key === undefined ? {} : { key: pem('--key', key, 'privateKey') }),
  }
  if (files.cert !== undefined && !belongsTogether(files.cert, files.key!))
    throw new UsageError(`the key of --key ${key!} does not belong to the certificate of ${cert!}.`)
  return {
    address: String(address.value),
    tls: secure ? { ...files, verify: !insecure } : undefined,
    metadata: Object.assign({}, ...metadata.map(pair)) as Record<string, string>,
    service,
  }
}

function pair(text: string): Record<string, string> {
  // Passes the pair as an object, because `readValue` would split a string at commas.
  const cut = text.indexOf('=')
  const read =
    cut < 1
      ? { wrong: 'must be name=value' }
      : readValue({ kind: 'map' }, { value: { [text.slice(0, cut)]: text.slice(cut + 1) } })
  if ('wrong' in read) throw new UsageError(`--metadata ${read.wrong}.`)
  return read.value as Record<string, string>
}

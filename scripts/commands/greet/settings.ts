import { readValue } from '../../../conformance/target-file/kinds.ts'
import type { GrpcTls } from '../../../conformance/wire/index.ts'
import { UsageError } from '../../complain.ts'
import { pem } from '../pem.ts'

/** The options as commander gives them. */
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

/** Where to call and how. */
export interface Settings {
  address: string
  tls: GrpcTls | undefined
  metadata: Readonly<Record<string, string>>
  service: string | undefined
}

/** Reads what was given on the command line. Throws `UsageError` for what is wrong with it. */
export function settingsOf(
  given: string,
  { service, metadata = [], tls = false, ca, cert, key, insecure = false }: GreetOptions,
): Settings {
  const address = readValue({ kind: 'address' }, { value: given })
  if ('wrong' in address)
    throw new UsageError(`ADDRESS ${address.wrong}.\nNext: touchstone greet 127.0.0.1:50051`)
  if (insecure && ca !== undefined)
    throw new UsageError('--insecure trusts anybody, and --ca only some: leave out one of them.')
  if ((cert === undefined) !== (key === undefined))
    throw new UsageError('--cert and --key go together: the key is that of the certificate.')
  const secure = tls || insecure || ca !== undefined || cert !== undefined
  const files = {
    ...(ca === undefined ? {} : { ca: pem('--ca', ca) }),
    ...(cert === undefined ? {} : { cert: pem('--cert', cert) }),
    ...(key === undefined ? {} : { key: pem('--key', key) }),
  }
  return {
    address: String(address.value),
    tls: secure ? { ...files, verify: !insecure } : undefined,
    metadata: Object.assign({}, ...metadata.map(pair)) as Record<string, string>,
    service,
  }
}

function pair(text: string): Record<string, string> {
  // As a map, so that a comma is a comma.
  const cut = text.indexOf('=')
  const read =
    cut < 1
      ? { wrong: 'wants name=value' }
      : readValue({ kind: 'map' }, { value: { [text.slice(0, cut)]: text.slice(cut + 1) } })
  if ('wrong' in read) throw new UsageError(`--metadata ${read.wrong}.`)
  return read.value as Record<string, string>
}

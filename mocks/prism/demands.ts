import { defaultRules } from '../stateful/images/rules.ts'
import { ContractRefusal } from './envelope.ts'
import type { Form } from './form.ts'

const {
  maxMetadataBytes,
  measureMetadata,
  isMetadata,
  parseCount,
  parseFlag,
  perPageMax,
  schemes,
  ticketMaxMs,
  parseExpiry,
} = defaultRules

/**
 * Refuses an upload for what its schema cannot say, or says without naming the reason: which of file and url, metadata that is
 * measured in bytes and read as JSON, and a URL from which nothing can be fetched.
 */
export function demandUpload({ fields, files }: Form): void {
  const url = fields.get('url')
  const file = files.has('file')
  if (file && url !== undefined) throw new ContractRefusal(400, 'file and url exclude each other')
  if (!file && url === undefined) throw new ContractRefusal(400, 'The form needs a file or a url')
  if (url !== undefined) demandFetchable(url)
  const flag = fields.get('requireSignedURLs')
  if (flag !== undefined && parseFlag(flag) === undefined)
    throw new ContractRefusal(400, 'requireSignedURLs has to be true or false')
  const metadata = fields.get('metadata')
  if (metadata === undefined) return
  if (measureMetadata(metadata) > maxMetadataBytes)
    throw new ContractRefusal(400, `metadata has more than ${maxMetadataBytes} bytes`)
  let value: unknown
  try {
    value = JSON.parse(metadata)
  } catch {
    throw new ContractRefusal(400, 'metadata is not JSON')
  }
  if (!isMetadata(value)) throw new ContractRefusal(400, 'metadata has to be a JSON object')
}

/** Refuses a ticket for what no schema says in bytes or against the clock. Of wrong types Prism speaks afterwards. */
export function demandTicket(body: unknown): void {
  if (!isMetadata(body)) return
  const { metadata, expiry, id, requireSignedURLs } = body as Record<string, unknown>
  if (metadata !== undefined && measureMetadata(JSON.stringify(metadata)) > maxMetadataBytes) {
    throw new ContractRefusal(400, `metadata has more than ${maxMetadataBytes} bytes`)
  }
  if (id !== undefined && requireSignedURLs === true)
    throw new ContractRefusal(400, 'An id of your own cannot be combined with requireSignedURLs')
  // Week and ordinal dates are timestamps too; what cannot be read here is left to the schema.
  const moment = parseExpiry(expiry)
  if (moment !== undefined && moment > Date.now() + ticketMaxMs)
    throw new ContractRefusal(400, 'expiry is more than six hours away')
}

/** Refuses counts that Prism would read as numbers by good will, and pages that are too large. */
export function demandPage(query: Record<string, string[]>): void {
  for (const name of ['page', 'per_page']) {
    for (const text of query[name] ?? []) {
      if (parseCount(text) === undefined)
        throw new ContractRefusal(400, `${name} has to be a whole number from 1 on`)
    }
  }
  if ((query['per_page'] ?? []).some((text) => Number(text) > perPageMax))
    throw new ContractRefusal(400, `per_page is at most ${perPageMax}`)
}

/** Refuses the form of a ticket that has no part named file. */
export function demandCompletion({ files }: Form): void {
  if (!files.has('file')) throw new ContractRefusal(400, 'The form has no part named file')
}

function demandFetchable(text: string): void {
  if (!URL.canParse(text)) throw new ContractRefusal(400, 'url is not a URL')
  const { protocol } = new URL(text)
  if (!schemes.includes(protocol))
    throw new ContractRefusal(400, `Pictures are not fetched by ${protocol.slice(0, -1)}`, 5454)
}

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
 * Refuses uploads with violations that the schema cannot express, or for which the errors of Prism
 * are hard to read: a file together with a url, metadata that is too large or not JSON, and a URL
 * that cannot be fetched.
 */
export function validateUpload({ fields, files }: Form): void {
  const url = fields.get('url')
  const file = files.has('file')
  if (file && url !== undefined)
    throw new ContractRefusal(400, 'file and url are mutually exclusive', {
      reason: 'file-and-url',
    })
  if (!file && url === undefined)
    throw new ContractRefusal(400, 'The form must contain a file or a url', {
      reason: 'file-and-url-missing',
    })
  if (url !== undefined) validateFetchable(url)
  const flag = fields.get('requireSignedURLs')
  if (flag !== undefined && parseFlag(flag) === undefined)
    throw new ContractRefusal(400, 'requireSignedURLs must be true or false', {
      reason: 'flag-not-boolean',
    })
  const metadata = fields.get('metadata')
  if (metadata === undefined) return
  if (measureMetadata(metadata) > maxMetadataBytes)
    throw new ContractRefusal(400, `metadata is larger than ${maxMetadataBytes} bytes`, {
      reason: 'metadata-too-large',
    })
  let value: unknown
  try {
    value = JSON.parse(metadata)
  } catch {
    throw new ContractRefusal(400, 'metadata is not JSON', { reason: 'metadata-not-json' })
  }
  if (!isMetadata(value))
    throw new ContractRefusal(400, 'metadata must be a JSON object', {
      reason: 'metadata-not-object',
    })
}

/**
 * Refuses ticket requests with violations that the schema cannot express (a ticket is a URL for one
 * upload without a token): metadata that is too large, an expiry that is too late, and a custom id
 * together with requireSignedURLs. Prism validates the types.
 */
export function validateTicket(body: unknown): void {
  if (!isMetadata(body)) return
  const { metadata, expiry, id, requireSignedURLs } = body as Record<string, unknown>
  if (metadata !== undefined && measureMetadata(JSON.stringify(metadata)) > maxMetadataBytes) {
    throw new ContractRefusal(400, `metadata is larger than ${maxMetadataBytes} bytes`, {
      reason: 'metadata-too-large',
    })
  }
  if (id !== undefined && requireSignedURLs === true)
    throw new ContractRefusal(400, 'A custom id cannot be combined with requireSignedURLs', {
      reason: 'private-custom-id',
    })
  // An expiry that cannot be parsed here is left to the schema. It may be a week date or an ordinal
  // date, which ISO 8601 allows.
  const moment = parseExpiry(expiry)
  if (moment !== undefined && moment > Date.now() + ticketMaxMs)
    throw new ContractRefusal(400, 'expiry is more than six hours away', {
      reason: 'expiry-too-late',
    })
}

/** Refuses counts that Prism would coerce to numbers, and pages that are too large. */
export function validatePage(query: Record<string, string[]>): void {
  for (const name of ['page', 'per_page']) {
    for (const text of query[name] ?? []) {
      if (parseCount(text) === undefined)
        throw new ContractRefusal(400, `${name} must be an integer of at least 1`, {
          reason: 'count-malformed',
        })
    }
  }
  if ((query['per_page'] ?? []).some((text) => Number(text) > perPageMax))
    throw new ContractRefusal(400, `per_page is at most ${perPageMax}`, {
      reason: 'per-page-too-large',
    })
}

/** Refuses an upload to the URL of a ticket if the form has no part named file. */
export function validateCompletion({ files }: Form): void {
  if (!files.has('file'))
    throw new ContractRefusal(400, 'The form has no part named file', { reason: 'file-missing' })
}

function validateFetchable(url: string): void {
  if (!URL.canParse(url))
    throw new ContractRefusal(400, 'url is not a URL', { reason: 'url-malformed' })
  const { protocol } = new URL(url)
  if (!schemes.includes(protocol))
    throw new ContractRefusal(400, `Images cannot be fetched by ${protocol.slice(0, -1)}`, {
      reason: 'url-scheme',
      code: 5454,
    })
}

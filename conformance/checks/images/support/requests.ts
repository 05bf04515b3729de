import {
  percentEncode,
  smallPng,
  uniquePng,
  type Body,
  type HttpRequest,
  type Part,
} from '../../../wire/index.ts'
import type { ImagesTarget } from '../target.ts'

/**
 * An image that every service accepts. Each request with this image contains unique bytes instead
 * of these.
 */
export const pixelFile: Part & { readonly value: Uint8Array } = {
  name: 'file',
  value: smallPng(),
  filename: 'pixel.png',
  type: 'image/png',
}

const withUniqueBytes = (part: Part): Part =>
  part.value === pixelFile.value ? { ...part, value: uniquePng() } : part

export interface UploadFields {
  file?: Part | undefined
  url?: string
  id?: string
  requireSignedURLs?: string
  metadata?: string
}

export type ApiHost = 'account' | 'batch'
type Json = Record<string, unknown>

/**
 * Builds the requests of the contract for a target, with the right token. `withAuthorization`
 * replaces the token.
 */
export class ImagesRequests {
  /** The URL of the account. */
  readonly account: string
  private readonly target: ImagesTarget

  constructor(target: ImagesTarget) {
    this.target = target
    this.account = `${target.url.replace(/\/$/, '')}/accounts/${percentEncode(target.account)}`
  }

  /** The same requests for another account, by default with the same token. */
  under(account: string, token = this.target.token): ImagesRequests {
    return new ImagesRequests({ ...this.target, account, token })
  }

  upload(fields: UploadFields, host: ApiHost = 'account'): HttpRequest {
    const { file, ...textFields } = fields
    const parts: Part[] = Object.entries(textFields).map(([name, value]) => ({ name, value }))
    if (file !== undefined) parts.push(withUniqueBytes(file))
    return this.requestTo(host, {
      operation: 'uploadImage',
      method: 'POST',
      url: '/images/v1',
      body: { kind: 'form', parts },
    })
  }

  ticket(body: Json | Body): HttpRequest {
    return this.jsonRequest('createDirectUpload', 'POST', '/images/v2/direct_upload', body)
  }

  list(query: Record<string, string | number> = {}, host: ApiHost = 'account'): HttpRequest {
    const search = new URLSearchParams(
      Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
    ).toString()
    return this.requestTo(host, {
      operation: 'listImages',
      method: 'GET',
      url: `/images/v2${search === '' ? '' : `?${search}`}`,
    })
  }

  get(id: string): HttpRequest {
    return this.requestTo('account', {
      operation: 'getImage',
      method: 'GET',
      url: `/images/v1/${percentEncode(id)}`,
    })
  }

  delete(id: string, host: ApiHost = 'account'): HttpRequest {
    return this.requestTo(host, {
      operation: 'deleteImage',
      method: 'DELETE',
      url: `/images/v1/${percentEncode(id)}`,
    })
  }

  createVariant(body: Json | Body): HttpRequest {
    return this.jsonRequest('createVariant', 'POST', '/images/v1/variants', body)
  }

  listVariants(): HttpRequest {
    return this.requestTo('account', {
      operation: 'listVariants',
      method: 'GET',
      url: '/images/v1/variants',
    })
  }

  getVariant(id: string): HttpRequest {
    return this.requestTo('account', {
      operation: 'getVariant',
      method: 'GET',
      url: `/images/v1/variants/${percentEncode(id)}`,
    })
  }

  updateVariant(id: string, body: Json | Body): HttpRequest {
    return this.jsonRequest(
      'updateVariant',
      'PATCH',
      `/images/v1/variants/${percentEncode(id)}`,
      body,
    )
  }

  deleteVariant(id: string): HttpRequest {
    return this.requestTo('account', {
      operation: 'deleteVariant',
      method: 'DELETE',
      url: `/images/v1/variants/${percentEncode(id)}`,
    })
  }

  config(body: Json | Body): HttpRequest {
    return this.jsonRequest('updateConfig', 'PATCH', '/images/v1/config', body)
  }

  /** The upload of an end user to the upload URL of a ticket, without a token. */
  complete(uploadURL: string, file: Part = pixelFile): HttpRequest {
    return {
      operation: 'completeDirectUpload',
      method: 'POST',
      url: uploadURL,
      body: { kind: 'form', parts: [withUniqueBytes(file)] },
    }
  }

  /** A request for an image at its delivery URL, like that of a browser. */
  deliver(url: string): HttpRequest {
    return { operation: 'deliverImage', method: 'GET', url }
  }

  private jsonRequest(
    operation: string,
    method: string,
    url: string,
    body: Json | Body,
  ): HttpRequest {
    return this.requestTo('account', {
      operation,
      method,
      url,
      body: isBody(body) ? body : { kind: 'json', value: body },
    })
  }

  private requestTo(host: ApiHost, { operation, url, ...request }: HttpRequest): HttpRequest {
    const batch = this.target.batch
    const root = host === 'account' ? this.account : (batch?.url.replace(/\/$/, '') ?? '')
    const token = host === 'account' ? this.target.token : (batch?.token ?? '')
    const name =
      host === 'account' ? operation : `batch${operation[0]!.toUpperCase()}${operation.slice(1)}`
    return {
      ...request,
      operation: name,
      url: `${root}${url}`,
      headers: { Authorization: `Bearer ${token}` },
    }
  }
}

/** The same request with another Authorization header, or without one. */
export function withAuthorization(
  authorization: string | undefined,
  request: HttpRequest,
): HttpRequest {
  const { Authorization: _, ...others } = request.headers ?? {}
  return {
    ...request,
    headers: authorization === undefined ? others : { ...others, Authorization: authorization },
  }
}

/**
 * A body that is declared as JSON and ends too early. It contains `members`, so that a check can
 * see whether a server uses the readable part.
 */
export const malformedJson = (members: Json): Body => ({
  kind: 'text',
  text: `${JSON.stringify(members).slice(0, -1)}, "unfinished`,
  type: 'application/json',
})

function isBody(body: Json | Body): body is Body {
  return 'kind' in body && (body.kind === 'json' || body.kind === 'text' || body.kind === 'form')
}

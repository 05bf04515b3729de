import {
  percentEncode,
  smallPng,
  uniquePng,
  type Body,
  type HttpRequest,
  type Part,
} from '../../../wire/index.ts'
import type { Undo } from '../../shared/journal.ts'
import type { ImagesTarget } from '../target.ts'

/**
 * An image that every service accepts. In each request with this image, unique bytes replace these
 * bytes.
 */
export const pixelFile: Part & { readonly value: Uint8Array } = {
  name: 'file',
  value: smallPng(),
  filename: 'pixel.png',
  savedAs: 'pixel.png',
  type: 'image/png',
}

export interface UploadFields {
  file?: Part | undefined
  url?: string
  id?: string
  requireSignedURLs?: string
  metadata?: string
}

/** Whether a request uploads an image from a URL. */
export const isFetched = ({ body }: HttpRequest): boolean =>
  body?.kind === 'form' &&
  body.parts.some(({ name, value }) => name === 'url' && /^https?:/i.test(String(value)))

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
  private readonly prefix: string

  /** The names of all uploaded files begin with `prefix`. */
  constructor(target: ImagesTarget, prefix: string) {
    this.target = target
    this.prefix = prefix
    this.account = `${target.url.replace(/\/$/, '')}/accounts/${percentEncode(target.account)}`
  }

  /** The same requests for another account, by default with the same token. */
  under(account: string, token = this.target.token): ImagesRequests {
    return new ImagesRequests({ ...this.target, account, token }, this.prefix)
  }

  /** Whether a URL belongs to the other account of the target file. */
  isOfOther(url: string): boolean {
    return this.other !== undefined && url.startsWith(`${this.other.account}/`)
  }

  /** The requests for the account to which a URL belongs. */
  of(url: string): ImagesRequests {
    return this.isOfOther(url) ? this.other! : this
  }

  private get other(): ImagesRequests | undefined {
    const { other } = this.target
    return other === undefined ? undefined : this.under(other.account, other.token)
  }

  /** For each list of images: the requests that read a page and that delete a listed image. */
  get lists(): { list: (page: number) => HttpRequest; remove: (id: string) => HttpRequest }[] {
    const of = (requests: ImagesRequests, host: ApiHost) => ({
      list: (page: number) => requests.list({ page, per_page: 100 }, host),
      remove: (id: string) => requests.delete(id, host),
    })
    return [
      of(this, 'account'),
      ...(this.target.batch === undefined ? [] : [of(this, 'batch')]),
      ...(this.other === undefined ? [] : [of(this.other, 'account')]),
    ]
  }

  /**
   * A recorded undo request, with the token of its server. Undefined if its URL does not belong to
   * the target.
   */
  ofUndo({ method, url, body }: Undo): HttpRequest | undefined {
    const batch = this.target.batch?.url.replace(/\/$/, '')
    const requests = this.of(url)
    const host = url.startsWith(`${requests.account}/`)
      ? 'account'
      : batch !== undefined && url.startsWith(`${batch}/`)
        ? 'batch'
        : undefined
    if (host === undefined) return undefined
    const path = url.slice((host === 'account' ? requests.account : batch!).length)
    return requests.requestTo(host, {
      operation:
        method !== 'DELETE'
          ? 'undo'
          : path.startsWith('/images/v1/variants/')
            ? 'deleteVariant'
            : 'deleteImage',
      method,
      url: path,
      ...(body === undefined ? {} : { body: { kind: 'json', value: body } }),
    })
  }

  upload(fields: UploadFields, host: ApiHost = 'account'): HttpRequest {
    const { file, ...textFields } = fields
    const parts: Part[] = Object.entries(textFields).map(([name, value]) => ({ name, value }))
    if (file !== undefined) parts.push(this.marked(file))
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
      body: { kind: 'form', parts: [this.marked(file)] },
    }
  }

  /**
   * Adds the prefix of the run to the name of a file, and replaces the bytes of `pixelFile` with
   * unique bytes.
   */
  private marked({ filename, ...part }: Part): Part {
    return {
      ...part,
      ...(filename === undefined
        ? {}
        : { filename: filename.startsWith(this.prefix) ? filename : `${this.prefix}-${filename}` }),
      value: part.value === pixelFile.value ? uniquePng() : part.value,
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

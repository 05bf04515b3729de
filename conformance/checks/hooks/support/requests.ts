import {
  percentDecode,
  percentEncode,
  type Body,
  type HttpExchange,
  type HttpRequest,
} from '../../../wire/index.ts'
import type { HooksTarget } from '../target.ts'

/** Fields of the hook configuration, of any type. */
export type Fields = Readonly<Record<string, unknown>>

/** The format in which a service accepts the fields of a hook. The document states none. */
export interface BodyFormat {
  /** Whether the service accepts forms, but no JSON. */
  isForm: boolean
}

/** Builds the requests of the contract for a target, with the right token. */
export class HooksRequests {
  readonly format: BodyFormat
  private readonly target: HooksTarget

  constructor(target: HooksTarget, format: BodyFormat = { isForm: false }) {
    this.target = target
    this.format = format
  }

  create(fields: Fields | Body, project = this.target.project): HttpRequest {
    return {
      operation: 'createHook',
      method: 'POST',
      url: this.hooksOf(project),
      headers: this.headers,
      body: isBody(fields)
        ? fields
        : this.format.isForm
          ? encodeForm(fields)
          : { kind: 'json', value: fields },
    }
  }

  test(hook: string, event: string, project = this.target.project): HttpRequest {
    return {
      operation: 'testHook',
      method: 'POST',
      url: `${this.hooksOf(project)}/${percentEncode(hook)}/test/${event}`,
      headers: this.headers,
    }
  }

  /**
   * Calls the endpoint that triggers an event (hooks.trigger.url in the target file). It is not
   * part of the contract.
   */
  trigger(url: string, event: string, action?: string): HttpRequest {
    return {
      operation: 'triggerEvent',
      method: 'POST',
      url,
      body: { kind: 'json', value: action === undefined ? { event } : { event, action } },
    }
  }

  /**
   * Deletes a hook. The operation is not documented, but the suite tries it to clean up.
   * `creationUrl` is the URL to which the request that created the hook was sent.
   */
  delete(hook: string, creationUrl: string): HttpRequest {
    return {
      operation: 'deleteHook',
      method: 'DELETE',
      url: `${creationUrl}/${percentEncode(hook)}`,
      headers: this.headers,
    }
  }

  /** Reads a hook, before the suite deletes it. The operation is not documented either. */
  read(hook: string, creationUrl: string): HttpRequest {
    return { ...this.delete(hook, creationUrl), operation: 'getHook', method: 'GET' }
  }

  /** Whether a URL is a hook of the target. */
  isOfTarget(url: string): boolean {
    return url.startsWith(`${this.target.url.replace(/\/$/, '')}/projects/`)
  }

  private get headers(): Record<string, string> {
    return { 'PRIVATE-TOKEN': this.target.token }
  }

  private hooksOf(project: string): string {
    return `${this.target.url.replace(/\/$/, '')}/projects/${percentEncode(project)}/hooks`
  }
}

/** Encodes fields as a form. Fields that are null are left out, because a form has no null. */
export function encodeForm(fields: Fields): Body {
  return {
    kind: 'fields',
    fields: Object.entries(fields)
      .filter(([, value]) => value !== null)
      .map(([name, value]) => [
        name,
        typeof value === 'object' ? JSON.stringify(value) : String(value),
      ]),
  }
}

/**
 * The field `url` in the body of a request that creates a hook. If there is none, returns a string
 * that is not a URL.
 */
export function urlOf(body: Body | undefined): string {
  if (body?.kind === 'json') {
    const { url } = body.value as { url?: unknown }
    return typeof url === 'string' ? url : (JSON.stringify(url) ?? 'no url')
  }
  if (body?.kind !== 'fields') return ''
  return body.fields.find(([name]) => name === 'url')?.[1] ?? ''
}

/**
 * Returns the same request with this access token, or without a token if `token` is undefined.
 * `name` is the spelling in which the header name is sent.
 */
export function withToken(
  token: string | undefined,
  request: HttpRequest,
  name = 'PRIVATE-TOKEN',
): HttpRequest {
  const { 'PRIVATE-TOKEN': _, ...others } = request.headers ?? {}
  return { ...request, headers: token === undefined ? others : { ...others, [name]: token } }
}

/** A body that is declared as JSON, but is cut off. */
export const malformedJson: Body = {
  kind: 'text',
  text: '{"url": "http://unfinished',
  type: 'application/json',
}

function isBody(fields: Fields | Body): fields is Body {
  return (
    typeof fields['kind' as never] === 'string' &&
    ('value' in fields || 'text' in fields || 'parts' in fields || 'fields' in fields)
  )
}

/**
 * Finds the id of a created hook in a response. The document does not define the response, so this
 * searches the objects in the body, and then the last segment of a Location header. Returns
 * undefined if there is no id.
 */
export function findHookId(exchange: HttpExchange, url: string): string | undefined {
  const records = listRecords(exchange.json, 0)
  const best =
    records.find(({ record }) => record['url'] === url) ??
    records.find(({ name }) => name === 'hook') ??
    records[0]
  const id = best === undefined ? undefined : readId(best.record)
  const location = exchange.header('location')
  const last = location
    ?.split(/[?#]/)[0]!
    .split('/')
    .filter((segment) => segment !== '')
    .at(-1)
  return id ?? (last === undefined ? undefined : percentDecode(last))
}

/**
 * Finds the object for the created hook in a response: the one with the hook's URL, or else the
 * first with an id.
 */
export function findHookRecord(
  exchange: HttpExchange,
  url: string,
): Readonly<Record<string, unknown>> | undefined {
  const records = listRecords(exchange.json, 0)
  return (records.find(({ record }) => record['url'] === url) ?? records[0])?.record
}

interface NamedRecord {
  name: string
  record: Record<string, unknown>
}

/**
 * Lists the objects with an id, outer ones first. Ignores objects that describe a project, a user
 * or a group.
 */
function listRecords(value: unknown, depth: number, name = ''): NamedRecord[] {
  if (
    typeof value !== 'object' ||
    value === null ||
    depth > 3 ||
    /^(project|user|owner|author|group)$/.test(name)
  )
    return []
  const record = value as Record<string, unknown>
  const own = !Array.isArray(value) && readId(record) !== undefined ? [{ name, record }] : []
  return [
    ...own,
    ...Object.entries(record).flatMap(([key, member]) =>
      listRecords(member, depth + 1, Array.isArray(value) ? name : key),
    ),
  ]
}

function readId({
  id,
  hook_id: hookId,
  hookId: camel,
}: Record<string, unknown>): string | undefined {
  const found = [id, hookId, camel].find(
    (value) =>
      (typeof value === 'string' && value !== '') ||
      (typeof value === 'number' && Number.isSafeInteger(value)),
  )
  return found === undefined ? undefined : String(found)
}

import type { HttpBindings } from '@hono/node-server'
import type { IHttpRequest } from '@stoplight/prism-http'
import type { Context } from 'hono'
import type { PrismOperation } from './prism.ts'

export type ContractRequestContext = Context<{ Bindings: HttpBindings }>

/** A body for Prism, and the value of its Content-Length header. */
export interface ReadBody {
  body: unknown
  contentType?: string | undefined
  length: number
}

/** Converts a request to Prism's form. */
export function requestOf(
  c: ContractRequestContext,
  operation: PrismOperation,
  { body, contentType, length }: ReadBody,
): IHttpRequest {
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(c.req.param(name) ?? ''),
  )
  const query = Object.entries(c.req.queries()).map(
    ([name, values]) => [name, values.length === 1 ? (values[0] ?? '') : values] as const,
  )
  return {
    method: operation.method.toLowerCase() as 'get',
    url: { path, query: Object.fromEntries(query) },
    headers: {
      'content-length': String(length),
      ...(contentType === undefined ? {} : { 'content-type': contentType }),
    },
    body,
  }
}

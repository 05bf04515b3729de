import { contentTypeOf, encodeForm, type FormSyntax, type Part } from './form.ts'

/** The body of a request as a structure, so that two requests can be compared. */
export type Body =
  | { kind: 'json'; value: unknown }
  | ({ kind: 'form'; parts: readonly Part[]; syntax?: FormSyntax } & Framing)
  /** application/x-www-form-urlencoded: order and repeated names are kept. */
  | { kind: 'fields'; fields: readonly (readonly [string, string])[] }
  | ({ kind: 'text'; text: string; type: string } & Framing)

interface Framing {
  /** Whether the body is sent in chunks, without Content-Length. */
  isChunked?: boolean
}

export interface EncodedBody {
  bytes?: Uint8Array
  headers: Record<string, string>
  /** The body as a report shows it; for a file, only its name and length. */
  text: string | null
}

/** The boundary of every form. Parts may contain it within a line. */
export const formBoundary = 'touchstone-5f0c2b7e9a41'

/** Encodes a body to bytes, with the headers that describe them. */
export function encodeBody(body: Body | undefined): EncodedBody {
  if (body === undefined) return { headers: {}, text: null }
  switch (body.kind) {
    case 'json':
      return newEncodedBody(
        Buffer.from(JSON.stringify(body.value)),
        'application/json',
        JSON.stringify(body.value),
      )
    case 'text':
      return newEncodedBody(Buffer.from(body.text), body.type, body.text, body)
    case 'fields':
      return newEncodedBody(
        Buffer.from(encodeFields(body.fields)),
        'application/x-www-form-urlencoded',
        // Shows the fields unencoded, so that a secret in them is recognized and redacted.
        body.fields.map(([name, value]) => `${name}=${value}`).join('\n'),
      )
    case 'form':
      return newEncodedBody(
        encodeForm(body.parts, formBoundary, body.syntax),
        contentTypeOf(formBoundary, body.syntax),
        body.parts
          .map(({ name, value, filename }) => `${name}=${describePart(value, filename)}`)
          .join('\n'),
        body,
      )
  }
}

/** Encodes fields in their order, as browsers do in queries and bodies. */
export function encodeFields(fields: readonly (readonly [string, string])[]): string {
  return new URLSearchParams(
    fields.map(([name, value]): [string, string] => [name, value]),
  ).toString()
}

function describePart(value: string | Uint8Array, filename: string | undefined): string {
  if (typeof value === 'string' && filename === undefined) return value
  return `@${filename ?? ''} (${Buffer.byteLength(value)} bytes)`
}

function newEncodedBody(
  bytes: Uint8Array,
  type: string,
  text: string,
  { isChunked = false }: Framing = {},
): EncodedBody {
  const length: Record<string, string> = isChunked
    ? { 'Transfer-Encoding': 'chunked' }
    : { 'Content-Length': String(bytes.byteLength) }
  return { bytes, headers: { 'Content-Type': type, ...length }, text }
}

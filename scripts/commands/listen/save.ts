import { accessSync, constants, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { printableJson } from '../../../conformance/engine/index.ts'
import { makeFolder } from '../../../conformance/report/report-file.ts'
import { whyUnwritable } from '../../../conformance/target-file/user-file.ts'
import { newRedactor, type Delivery } from '../../../conformance/wire/index.ts'
import { UsageError } from '../../print-error.ts'
import type { DeliveryBody, JudgedDelivery } from '../deliveries/judge.ts'
import { secretVariable } from '../deliveries/options.ts'
import { notSaved } from '../deliveries/saved.ts'

/** The headers whose values are saved. Other headers may contain a secret of the sender. */
const savedHeader =
  /^(accept(-.*)?|connection|content-.*|date|expect|host|transfer-encoding|user-agent|via|x-hook-event|x-request-id)$/i
/** The parameters of a query that may contain a secret. */
const secretParameter = /token|secret|auth|key|pass|sig|credential|session|code/i

/**
 * Saves each delivery to its own file in a folder. Sorted by name, the files are in the order in
 * which the deliveries arrived.
 */
export class DeliveryFolder {
  private readonly path: string
  private readonly redact: (text: string) => string
  private hasFailed = false

  /** Throws `UsageError` if the folder is not writable. */
  constructor(path: string, token: string | undefined) {
    this.path = path
    this.redact = newRedactor({ [secretVariable]: token })
    try {
      makeFolder(path)
      if (!statSync(path).isDirectory()) throw new Error('it is a file')
      accessSync(path, constants.W_OK)
    } catch (error) {
      throw new UsageError(
        `deliveries cannot be saved to ${path}: ${whyUnwritable(error)}\nNext: choose another folder with --save.`,
      )
    }
  }

  /** Returns the path of the file, or undefined if it could not be written. */
  save(
    delivery: Delivery,
    body: DeliveryBody,
    { event, token }: JudgedDelivery,
  ): string | undefined {
    const receivedAt = new Date(delivery.arrivedAt).toISOString()
    const file = join(
      this.path,
      `${receivedAt.replaceAll(/[-:]/g, '')}-${String(delivery.number).padStart(6, '0')}-${event ?? 'unknown'}.json`,
    )
    const { method, url } = delivery
    const saved = {
      receivedAt,
      method,
      url: this.redact(withoutSecrets(url)),
      // The saved headers do not show whether the token was right.
      token,
      headers: this.headers(delivery, token === 'right'),
      ...this.body(delivery, body),
    }
    try {
      writeFileSync(file, `${printableJson(saved, 2)}\n`)
      return file
    } catch (error) {
      if (!this.hasFailed)
        process.stderr.write(`error: ${file} cannot be written: ${(error as Error).message}\n`)
      this.hasFailed = true
      return undefined
    }
  }

  /** Returns the headers by name; a repeated header has a list of values. */
  private headers(delivery: Delivery, isTokenRight: boolean): Record<string, string | string[]> {
    const value = (name: string, text: string) => {
      if (isTokenRight && name.toLowerCase() === 'x-hook-token') return `$${secretVariable}`
      return savedHeader.test(name) ? this.redact(text) : notSaved
    }
    const names = new Map(delivery.headers.map(([name]) => [name.toLowerCase(), name]))
    return Object.fromEntries(
      [...names.values()].map((name) => {
        const values = delivery.headersOf(name).map((text) => value(name, text))
        return [name, values.length === 1 ? values[0]! : values]
      }),
    )
  }

  /**
   * Returns the body in the form that the file contains: JSON as readable JSON, other UTF-8 as a
   * string, other bytes as Base64. The exception is JSON that is only a string: it is saved as its
   * source, because `touchstone validate` parses strings.
   */
  private body({ body: bytes }: Delivery, body: DeliveryBody): object {
    if ('value' in body)
      return typeof body.value === 'string'
        ? { body: JSON.stringify(this.redact(body.value)) }
        : { body: this.redactValue(body.value) }
    const text = bytes.toString()
    return Buffer.from(text).equals(bytes)
      ? { body: this.redact(text) }
      : { body: bytes.toString('base64'), bodyCoding: 'base64' }
  }

  private redactValue(value: unknown): unknown {
    if (typeof value === 'string') return this.redact(value)
    if (Array.isArray(value)) return value.map((item) => this.redactValue(item))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [this.redact(name), this.redactValue(member)]),
    )
  }
}

/** Replaces the values of the query parameters that may be secrets. */
function withoutSecrets(url: string): string {
  const [path = '', query] = url.split(/\?(.*)/s)
  if (query === undefined) return url
  const parameters = query.split('&').map((pair) => {
    const [name = ''] = pair.split('=', 1)
    return secretParameter.test(name) && pair.includes('=') ? `${name}=${notSaved}` : pair
  })
  return `${path}?${parameters.join('&')}`
}

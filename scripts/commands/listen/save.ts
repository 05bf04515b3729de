import { accessSync, constants, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeFolder } from '../../../conformance/report/put.ts'
import { newRedactor, type Delivery } from '../../../conformance/wire/index.ts'
import { UsageError } from '../../complain.ts'
import { tokenState } from '../deliveries/headers.ts'
import type { DeliveryBody, JudgedDelivery } from '../deliveries/judge.ts'
import { secretVariable } from '../deliveries/options.ts'

/** Headers that hold a secret, whosever it is. */
const secretHeader = /token|secret|authorization|cookie|password|api-?key/i

/** A folder in which deliveries are kept, one file for each; their names sort by time. */
export class Folder {
  private readonly path: string
  private readonly token: string | undefined
  private readonly clean: (text: string) => string
  private failed = false

  /** Throws `UsageError` where nothing can be written. */
  constructor(path: string, token: string | undefined) {
    this.path = path
    this.token = token
    this.clean = newRedactor({ [secretVariable]: token })
    try {
      makeFolder(path)
      if (!statSync(path).isDirectory()) throw new Error('it is a file')
      accessSync(path, constants.W_OK)
    } catch (error) {
      throw new UsageError(
        `nothing can be kept in ${path}: ${(error as Error).message}\nNext: name another folder with --save.`,
      )
    }
  }

  /** Keeps a delivery; the name of its file, or undefined where it could not be written. */
  keep(delivery: Delivery, body: DeliveryBody, { event }: JudgedDelivery): string | undefined {
    const receivedAt = new Date(delivery.arrivedAt).toISOString()
    const file = join(
      this.path,
      `${receivedAt.replaceAll(/[-:]/g, '')}-${String(delivery.number).padStart(6, '0')}-${event ?? 'unknown'}.json`,
    )
    const { method, url } = delivery
    const kept = {
      receivedAt,
      method,
      url: this.clean(url),
      headers: this.headers(delivery),
      ...this.body(delivery, body),
    }
    try {
      writeFileSync(file, `${JSON.stringify(kept, null, 2)}\n`)
      return file
    } catch (error) {
      if (!this.failed)
        process.stderr.write(`error: ${file} cannot be written: ${(error as Error).message}\n`)
      this.failed = true
      return undefined
    }
  }

  /** By name; one that was sent more than once has a list. */
  private headers(delivery: Delivery): Record<string, string | string[]> {
    const right = tokenState(delivery.headers, this.token) === 'right'
    const value = (name: string, text: string) => {
      if (right && name.toLowerCase() === 'x-hook-token') return `$${secretVariable}`
      return secretHeader.test(name) ? '(a secret, not kept)' : this.clean(text)
    }
    const names = new Map(delivery.headers.map(([name]) => [name.toLowerCase(), name]))
    return Object.fromEntries(
      [...names.values()].map((name) => {
        const values = delivery.headersOf(name).map((text) => value(name, text))
        return [name, values.length === 1 ? values[0]! : values]
      }),
    )
  }

  /** JSON as JSON, so that it can be read; all else as the text that it is, or else its bytes. */
  private body({ body: bytes }: Delivery, body: DeliveryBody): object {
    if ('value' in body)
      return typeof body.value === 'string'
        ? { body: JSON.stringify(this.clean(body.value)) }
        : { body: this.cleaned(body.value) }
    const text = bytes.toString()
    return Buffer.from(text).equals(bytes)
      ? { body: this.clean(text) }
      : { body: bytes.toString('base64'), bodyCoding: 'base64' }
  }

  private cleaned(value: unknown): unknown {
    if (typeof value === 'string') return this.clean(value)
    if (Array.isArray(value)) return value.map((item) => this.cleaned(item))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [this.clean(name), this.cleaned(member)]),
    )
  }
}

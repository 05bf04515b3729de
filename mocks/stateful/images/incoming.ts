import type { IncomingMessage } from 'node:http'
import type { ImagesCall, ImagesContext, ImagesReply } from './call.ts'
import type { ImagesHost, ImagesOperation } from './routes.ts'
import { readForm, type UploadForm } from './form.ts'
import { readJson } from './json-body.ts'
import { noteUnknownImageFields, noteUnknownMembers } from './known-fields.ts'

/** What the router found in a request. */
export interface RoutedRequest {
  operation: ImagesOperation
  host: ImagesHost
  path: string
  params: Record<string, string>
  account: string
}

/** A request, as passed to handlers. */
export class IncomingCall implements ImagesCall {
  operation: ImagesOperation
  host: ImagesHost
  method: string
  path: string
  params: Record<string, string>
  headers: Record<string, string | undefined>
  account: string
  authorize?: () => ImagesReply | undefined
  forced?: () => ImagesReply | undefined
  server: ImagesContext
  request: IncomingMessage
  // Query and body are read lazily, because most handlers need neither.
  private queryRead: URLSearchParams | undefined
  private formRead: Promise<UploadForm> | undefined
  private jsonRead: Promise<unknown> | undefined

  constructor(routed: RoutedRequest, server: ImagesContext, request: IncomingMessage) {
    this.operation = routed.operation
    this.host = routed.host
    this.method = request.method ?? 'GET'
    this.path = routed.path
    this.params = routed.params
    this.headers = request.headers as Record<string, string | undefined>
    this.account = routed.account
    this.server = server
    this.request = request
  }

  get query(): URLSearchParams {
    return (this.queryRead ??= new URLSearchParams(queryOf(this.request)))
  }
  set query(query: URLSearchParams) {
    this.queryRead = query
  }

  form(): Promise<UploadForm> {
    return (this.formRead ??= this.readForm())
  }

  json(): Promise<unknown> {
    return (this.jsonRead ??= this.readJson())
  }

  private async readForm(): Promise<UploadForm> {
    const { request, headers, server } = this
    const form = await readForm(request, headers['content-type'], server.options.maxFileBytes)
    const names = [form.fields, form.lists].flatMap((fields) => Object.keys(fields))
    noteUnknownImageFields(request, this.operation, [
      ...names,
      ...form.files.map(({ name }) => name),
    ])
    return form
  }

  private async readJson(): Promise<unknown> {
    const body = await readJson(this.request)
    noteUnknownMembers(this.request, this.operation, body)
    return body
  }
}

function queryOf({ url = '' }: IncomingMessage): string {
  const mark = url.indexOf('?')
  return mark < 0 ? '' : url.slice(mark + 1)
}

import { randomUUID } from 'node:crypto'
import { requestOf, type ContractRequestContext, type ReadBody } from './request.ts'
import { parseJson, readBody } from './body.ts'
import { validateCompletion, validatePage, validateTicket, validateUpload } from './validate.ts'
import { fitExample, type RequestedValues, type RequestedVariant } from './fit-example.ts'
import { parseForm, rewriteForm, ticketOfForm, type Form } from './form.ts'
import { callPrism, type PrismResult, type PrismOperation } from './prism.ts'
import { filenameOfUrl } from '../stateful/images/fetch-image.ts'
import {
  noteUnknownImageFields,
  noteUnknownMembers,
  noteUnknownParameters,
} from '../stateful/images/known-fields.ts'
import { defaultOptions } from '../stateful/images/variants.ts'

interface ReadRequest extends ReadBody {
  requested: RequestedValues
}

/**
 * Responds to an authorized request. Reads the request, validates what schemas cannot express,
 * calls Prism, and adapts the example that Prism returns to the request.
 */
export async function respond(
  c: ContractRequestContext,
  operation: PrismOperation,
): Promise<PrismResult> {
  const query = c.req.queries()
  noteUnknownParameters(c.env.incoming, operation.iid ?? '', Object.keys(query))
  const { body, contentType, length, requested } = await read(c, operation)
  if (/listImages$/i.test(operation.iid ?? '')) validatePage(query)
  const prefer = c.req.header('prefer')
  const reply = await callPrism(
    operation,
    requestOf(c, operation, { body, contentType, length }),
    prefer,
  )
  if (reply.status !== 200) return { ...reply, body: completeFailure(reply.body) }
  if (prefer !== undefined) return reply
  const perPage = Number(query['per_page']?.[0] ?? 100)
  return {
    status: 200,
    body: fitExample(reply.body, {
      ...requested,
      id: requested.id ?? c.req.param('image_id') ?? c.req.param('variant_id'),
      perPage,
    }),
  }
}

/** Adds the members that clients expect in a failure. The examples have only the stated ones. */
function completeFailure(body: unknown): unknown {
  return (body as { success?: unknown } | null)?.success === false
    ? { ...(body as object), messages: [], result: null }
    : body
}

/** Reads the body for Prism. If the OpenAPI document defines no body, a sent body is ignored. */
async function read(c: ContractRequestContext, operation: PrismOperation): Promise<ReadRequest> {
  const mediaType = operation.request?.body?.contents?.[0]?.mediaType
  if (mediaType === undefined) return { body: null, length: 0, requested: {} }
  const raw = await readBody(c.env.incoming)
  const sent = c.req.header('content-type')
  if (mediaType === 'multipart/form-data') {
    const form = await parseForm(raw, sent)
    const names = [...form.fields.keys(), ...form.files.keys()]
    noteUnknownImageFields(c.env.incoming, operation.iid ?? '', names)
    return readForm(operation, form)
  }
  const isTicketForm =
    operation.iid === 'createDirectUpload' && /^\s*multipart\/form-data/i.test(sent ?? '')
  const body = isTicketForm ? ticketOfForm(await parseForm(raw, sent)) : parseJson(raw, sent)
  noteUnknownMembers(c.env.incoming, operation.iid ?? '', body)
  if (operation.iid === 'createDirectUpload') validateTicket(body)
  return {
    body,
    contentType: 'application/json',
    length: raw.length,
    requested: {
      id: stringOf((body as { id?: unknown } | null)?.id) ?? newId(operation),
      variant: variantOf(operation, body),
      flexibleVariants: (body as { flexible_variants?: boolean } | null)?.flexible_variants,
    },
  }
}

function readForm(operation: PrismOperation, form: Form): ReadRequest {
  if (operation.iid === 'completeDirectUpload') validateCompletion(form)
  else validateUpload(form)
  const { body, contentType } = rewriteForm(form)
  const flag = form.fields.get('requireSignedURLs')
  return {
    body,
    contentType,
    length: body.length,
    requested: {
      id: form.fields.get('id') ?? newId(operation),
      filename: filenameOf(form),
      ...(operation.iid === 'completeDirectUpload' ? { draft: false } : {}),
      requireSignedURLs: flag === undefined ? undefined : flag === 'true',
    },
  }
}

/** The name of the image that a form contains as a file or as a URL. */
function filenameOf({ files, fields }: Form): string | undefined {
  const file = files.get('file')
  // Some clients send a file without a name.
  if (file !== undefined) return file.filename || 'image'
  const url = fields.get('url')
  return url !== undefined && URL.canParse(url)
    ? filenameOfUrl(new URL(url), 'basename')
    : undefined
}

/** The members of a variant that a request sets: all of a new one, or those to change. */
function variantOf({ iid }: PrismOperation, body: unknown): RequestedVariant | undefined {
  if (iid !== 'createVariant' && iid !== 'updateVariant') return undefined
  if (typeof body !== 'object' || body === null) return undefined
  const { options, neverRequireSignedURLs } = body as Partial<RequestedVariant>
  const known = Object.entries(options ?? {}).filter(([name]) =>
    Object.hasOwn(defaultOptions, name),
  )
  const changes: RequestedVariant = {
    options: Object.fromEntries(known),
    ...(typeof neverRequireSignedURLs === 'boolean' ? { neverRequireSignedURLs } : {}),
  }
  return iid === 'updateVariant'
    ? changes
    : {
        neverRequireSignedURLs: false,
        ...changes,
        options: { ...defaultOptions, ...changes.options },
      }
}

/** Generates a unique id for a new image. */
function newId({ iid = '' }: PrismOperation): string | undefined {
  return /uploadImage$|^createDirectUpload$/i.test(iid) ? randomUUID() : undefined
}

function stringOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

import { randomUUID } from 'node:crypto'
import { requestOf, type Caller, type ReadBody } from './asking.ts'
import { parseJson, readBody } from './body.ts'
import { demandCompletion, demandPage, demandTicket, demandUpload } from './demands.ts'
import { fitted, type Wishes } from './fit.ts'
import { parseForm, rewriteForm } from './form.ts'
import { askPrism, type Mocked, type PrismOperation } from './prism.ts'

interface Read extends ReadBody {
  wishes: Wishes
}

/** Answers a request whose sender may make it: reads it, demands what schemas cannot, and leaves the rest to Prism. */
export async function answer(c: Caller, operation: PrismOperation): Promise<Mocked> {
  const query = c.req.queries()
  const { body, contentType, length, wishes } = await read(c, operation)
  if (/listImages$/i.test(operation.iid ?? '')) demandPage(query)
  const prefer = c.req.header('prefer')
  const mocked = await askPrism(
    operation,
    requestOf(c, operation, { body, contentType, length }),
    prefer,
  )
  if (prefer !== undefined || mocked.status !== 200) return mocked
  const perPage = Number(query['per_page']?.[0] ?? 100)
  return {
    status: 200,
    body: fitted(mocked.body, {
      ...wishes,
      id: wishes.id ?? c.req.param('image_id') ?? c.req.param('variant_id'),
      perPage,
    }),
  }
}

/** The body as Prism shall see it. Where the document knows of none, whatever was sent is ignored. */
async function read(c: Caller, operation: PrismOperation): Promise<Read> {
  const wanted = operation.request?.body?.contents?.[0]?.mediaType
  if (wanted === undefined) return { body: null, length: 0, wishes: {} }
  const raw = await readBody(c.env.incoming)
  const sent = c.req.header('content-type')
  if (wanted === 'multipart/form-data') return await readForm(operation, raw, sent)
  const body = parseJson(raw, sent)
  if (operation.iid === 'createDirectUpload') demandTicket(body)
  return {
    body,
    contentType: 'application/json',
    length: raw.length,
    wishes: { id: textOf((body as { id?: unknown } | null)?.id) ?? freshId(operation) },
  }
}

async function readForm(
  operation: PrismOperation,
  raw: Buffer,
  sent: string | undefined,
): Promise<Read> {
  const form = await parseForm(raw, sent)
  if (operation.iid === 'completeDirectUpload') demandCompletion(form)
  else demandUpload(form)
  const { body, contentType } = rewriteForm(form)
  const flag = form.fields.get('requireSignedURLs')
  return {
    body,
    contentType,
    length: body.length,
    wishes: {
      id: form.fields.get('id') ?? freshId(operation),
      requireSignedURLs: flag === undefined ? undefined : flag === 'true',
    },
  }
}

/** The id of a new picture for which nobody chose one. No two are the same, though none is remembered. */
function freshId({ iid = '' }: PrismOperation): string | undefined {
  return /uploadImage$|^createDirectUpload$/i.test(iid) ? randomUUID() : undefined
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

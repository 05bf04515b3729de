import { createLogger } from '@stoplight/prism-core'
import {
  createInstance,
  getHttpOperationsFromSpec,
  type IHttpConfig,
  type IHttpRequest,
} from '@stoplight/prism-http'
import { createRequire } from 'node:module'
import { ContractRefusal } from './envelope.ts'

export type PrismOperation = Awaited<ReturnType<typeof getHttpOperationsFromSpec>>[number]

/** What Prism made of a request: an answer from the document, or what is wrong with the request. */
export interface Mocked {
  status: number
  body: unknown
}

const settings = {
  isProxy: false,
  checkSecurity: false,
  validateRequest: true,
  validateResponse: false,
  errors: false,
  upstreamProxy: undefined,
} as const
const instance = createInstance(
  { ...settings, mock: { dynamic: false } },
  { logger: createLogger('prism', { level: 'silent' }) },
)

/** Reads the operations of a document in specs/openapi. */
export async function operationsOf(document: string): Promise<PrismOperation[]> {
  return await getHttpOperationsFromSpec(
    createRequire(import.meta.url).resolve(`#specs/openapi/${document}.yaml`),
  )
}

/** Has Prism answer a request to one operation from its document. A request that breaks the document's schemas is refused. */
export async function askPrism(
  operation: PrismOperation,
  request: IHttpRequest,
  prefer: string | undefined,
): Promise<Mocked> {
  const config: IHttpConfig = { ...settings, mock: preferences(prefer) }
  const result = await instance.request(request, [operation], config)()
  if (result._tag === 'Left') throw refusalOf(result.left)
  // Prism answers an invalid request with the example of the 400; what is wrong helps its sender more.
  const violations = result.right.validations.input.map(({ message }) =>
    message.replace(/must match pattern .*/s, 'is not written as it must be'),
  )
  if (violations.length > 0) throw new ContractRefusal(400, violations.join('; '))
  const { statusCode, body } = result.right.output
  return { status: statusCode, body }
}

/** Reads which answer a `Prefer` header asks for; of each preference the first counts. */
export function preferences(prefer: string | undefined): IHttpConfig['mock'] {
  const asked = new Map<string, string>()
  for (const [, name = '', value = ''] of (prefer ?? '').matchAll(
    /(?:^|[\s,;])(code|example|dynamic|seed)\s*=\s*("[^"]*"|[^\s,;]*)/gi,
  )) {
    const key = name.toLowerCase()
    if (!asked.has(key)) asked.set(key, value.replace(/^"(.*)"$/, '$1'))
  }
  const [code, example, dynamic, seed] = ['code', 'example', 'dynamic', 'seed'].map((name) =>
    asked.get(name),
  )
  if (code !== undefined && !/^\d{3}$/.test(code))
    throw new ContractRefusal(400, 'Prefer: code has to be a status')
  if (dynamic !== undefined && !/^(true|false)$/.test(dynamic))
    throw new ContractRefusal(400, 'Prefer: dynamic is true or false')
  return {
    dynamic: dynamic === 'true',
    ...(code === undefined ? {} : { code: Number(code) }),
    ...(example === undefined ? {} : { exampleKey: example }),
    ...(seed === undefined ? {} : { seed }),
  }
}

function refusalOf(error: Error & { status?: number; detail?: string }): ContractRefusal {
  // Routing is done before Prism is asked, so what Prism does not find is the status or the example of a Prefer header.
  const clients = error.status !== undefined && error.status < 500
  return new ContractRefusal(clients ? 400 : 500, error.detail ?? error.message)
}

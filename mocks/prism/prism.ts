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

/** The response that Prism generated from the OpenAPI document. */
export interface PrismResult {
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

/**
 * Lets Prism answer a request to one operation. Throws a refusal if the request violates the
 * document's schemas.
 */
export async function callPrism(
  operation: PrismOperation,
  request: IHttpRequest,
  prefer: string | undefined,
): Promise<PrismResult> {
  const config: IHttpConfig = { ...settings, mock: parsePreferences(prefer) }
  const result = await instance.request(request, [operation], config)()
  if (result._tag === 'Left') throw newRefusal(result.left)
  // For an invalid request, Prism returns the example of the 400 response. The violations are more
  // helpful than that example.
  const violations = result.right.validations.input.map(({ message }) =>
    message.replace(/must match pattern .*/s, 'has the wrong format'),
  )
  if (violations.length > 0) throw new ContractRefusal(400, violations.join('; '))
  const { statusCode, body } = result.right.output
  return { status: statusCode, body }
}

/** Parses a `Prefer` header. The first value of each preference counts. */
export function parsePreferences(prefer: string | undefined): IHttpConfig['mock'] {
  const found = new Map<string, string>()
  for (const [, name = '', value = ''] of (prefer ?? '').matchAll(
    /(?:^|[\s,;])(code|example|dynamic|seed)\s*=\s*("[^"]*"|[^\s,;]*)/gi,
  )) {
    const key = name.toLowerCase()
    if (!found.has(key)) found.set(key, value.replace(/^"(.*)"$/, '$1'))
  }
  const [code, example, dynamic, seed] = ['code', 'example', 'dynamic', 'seed'].map((name) =>
    found.get(name),
  )
  if (code !== undefined && !/^\d{3}$/.test(code))
    throw new ContractRefusal(400, 'Prefer: code must be a status')
  if (dynamic !== undefined && !/^(true|false)$/.test(dynamic))
    throw new ContractRefusal(400, 'Prefer: dynamic must be true or false')
  return {
    dynamic: dynamic === 'true',
    ...(code === undefined ? {} : { code: Number(code) }),
    ...(example === undefined ? {} : { exampleKey: example }),
    ...(seed === undefined ? {} : { seed }),
  }
}

function newRefusal(error: Error & { status?: number; detail?: string }): ContractRefusal {
  // The operation is known already. So Prism can fail only because the status or the example that a
  // Prefer header names does not exist.
  const isClientError = error.status !== undefined && error.status < 500
  return new ContractRefusal(isClientError ? 400 : 500, error.detail ?? error.message)
}

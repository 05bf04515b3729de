import { NotCovered, labelled, type Expectation } from '../../../engine/index.ts'
import type { Body, HttpExchange, HttpRequest } from '../../../wire/index.ts'
import { check } from '../support/define.ts'
import type { ImagesWorld } from '../support/world.ts'

// These checks send bodies that are not the documented form. A server may accept such a body, or
// refuse it with any status other than 500.

const notInternalError: Expectation<HttpExchange> = {
  name: 'is not an internal error',
  expected: 'a status other than 500, because the body of the request is the mistake',
  test: ({ status }) => status !== 500,
}

const json: Body = { kind: 'json', value: { file: 'touchstone' } }

/** A form without the parameter that states its boundary. */
const withoutBoundary: Body = {
  kind: 'text',
  text: '--touchstone\r\nContent-Disposition: form-data; name="id"\r\n\r\ntouchstone\r\n--touchstone--\r\n',
  type: 'multipart/form-data',
}

/** Sends a request with each of these bodies, and expects that none causes an internal error. */
async function expectNoInternalError(
  { send, blockIfOperationBroken, expect }: ImagesWorld,
  request: HttpRequest,
  bodies: Readonly<Record<string, Body>>,
): Promise<void> {
  const responses = await Promise.all(
    Object.entries(bodies).map(async ([label, body]) => ({
      label,
      exchange: await blockIfOperationBroken(await send({ ...request, body })),
    })),
  )
  const silent = responses.find(({ exchange }) => exchange.status === undefined)
  if (silent !== undefined)
    throw new NotCovered(
      `${silent.label}: ${silent.exchange.operation} got ${silent.exchange.summary}`,
    )
  for (const { label, exchange } of responses) expect(exchange, labelled(label, notInternalError))
}

export const brokenFormsChecks = [
  check('IMG-STATUS-08', {
    title: 'does not return 500 for an upload that is not a form or has no boundary',
    run: (world) =>
      expectNoInternalError(world, world.request.upload({}), {
        'a JSON body': json,
        'a form without a boundary': withoutBoundary,
      }),
  }),

  check('IMG-STATUS-08', {
    title: 'does not return 500 for a direct upload that is not a form',
    async run(world) {
      const { uploadURL } = await world.createTicket()
      await expectNoInternalError(world, world.request.complete(uploadURL), { JSON: json })
    },
  }),
]

import { type Expectation, NotApplicable, labelled } from '../../../../engine/index.ts'
import type { HttpExchange } from '../../../../wire/index.ts'
import { webRedirectUri } from '../../support/client.ts'
import { check, oauth as patterns, watch } from '../../support/define.ts'
import { members } from '../../support/expectations.ts'
import type { AuthWorld } from '../../support/world.ts'

/** Sent in place of good metadata. Each differs from it in one member. */
const wrong = {
  'no redirect URIs': { redirect_uris: undefined },
  'an empty list of redirect URIs': { redirect_uris: [] },
  'a script': { redirect_uris: ['javascript:alert(document.domain)'] },
  'a script in capitals': { redirect_uris: ['JavaScript:alert(document.domain)'] },
  'a script beside a good address': {
    redirect_uris: [webRedirectUri, 'javascript:alert(document.domain)'],
  },
} satisfies Record<string, Readonly<Record<string, unknown>>>
type Wrong = keyof typeof wrong

const refused: Expectation<HttpExchange> = {
  name: 'is refused',
  expected: 'a status of the 400s, and no client',
  test: ({ status = 0 }) => status >= 400 && status < 500,
}
/** A server may as well leave out what it does not like, and tell what is left. */
const notRegistered: Expectation<HttpExchange> = {
  name: 'is not registered',
  expected: 'a refusal, or redirect_uris without it',
  test: (exchange) => {
    const { status = 0 } = exchange
    const uris = members(exchange)['redirect_uris']
    return (
      (status >= 400 && status < 500) ||
      (status >= 200 &&
        status < 300 &&
        Array.isArray(uris) &&
        !uris.some((uri) => /^\s*javascript:/i.test(String(uri))))
    )
  },
}

async function refuse(
  world: AuthWorld,
  expected: typeof refused,
  names: readonly Wrong[],
): Promise<HttpExchange[]> {
  const web = { redirect_uris: [webRedirectUri], application_type: 'web' }
  const contrast = await world.registering(web)
  const answers: HttpExchange[] = []
  for (const name of names) {
    const request = await world.registering({ ...web, ...wrong[name] })
    answers.push(
      await world.refuses({ ...request, meaning: 'invalid' }, expected, { contrast, label: name }),
    )
  }
  return answers
}

const isRefusal = ({ operation, meanings, status = 0 }: HttpExchange): boolean =>
  operation === 'register' && meanings.includes('invalid') && status >= 400 && status < 500

const judged = (
  { summary }: Pick<HttpExchange, 'summary'>,
  name: string,
  expected: string,
  held: boolean,
) => [{ name, held, expected, received: held ? 'as expected' : summary }]

const hasCode = (...codes: readonly string[]): Expectation<HttpExchange> => ({
  name: `has the error ${codes.join(' or ')}`,
  expected: codes.join(' or '),
  test: (exchange) => codes.includes(String(members(exchange)['error'])),
})

/** Registrations that are refused. */
export const refusals = [
  check('AUTH-REGISTER-05', {
    title: 'refuses clients without redirect URIs',
    patterns,
    async play(world) {
      await refuse(world, refused, ['no redirect URIs', 'an empty list of redirect URIs'])
    },
  }),

  check('AUTH-REGISTER-06', {
    title: 'refuses redirect URIs that would run a script',
    patterns,
    async play(world) {
      await refuse(world, refused, ['a script', 'a script in capitals'])
      await refuse(world, notRegistered, ['a script beside a good address'])
    },
  }),

  watch('AUTH-REGISTER-07', {
    title: 'refuses with status 400, and JSON with error',
    sources: ['AUTH-REGISTER-05', 'AUTH-REGISTER-06'],
    examine(exchange) {
      if (!isRefusal(exchange)) return []
      const { error } = members(exchange)
      return [
        ...judged(exchange, 'has status 400', 'status 400', exchange.status === 400),
        ...judged(
          exchange,
          'tells the error in JSON',
          'JSON with error, a text',
          typeof error === 'string' && error !== '',
        ),
      ]
    },
  }),

  check('AUTH-REGISTER-08', {
    title: 'tells bad redirect URIs from other metadata',
    patterns,
    async play(world) {
      const web = { redirect_uris: [webRedirectUri], application_type: 'web' }
      await world.sendOrBlock(await world.registering(web))
      const answers = [
        // That there is no address at all may count as either.
        {
          label: 'without redirect URIs',
          answered: await world.send(
            await world.registering({ ...web, ...wrong['no redirect URIs'] }),
          ),
          codes: ['invalid_redirect_uri', 'invalid_client_metadata'],
        },
        {
          label: 'a script',
          answered: await world.send(await world.registering({ ...web, ...wrong['a script'] })),
          codes: ['invalid_redirect_uri'],
        },
        {
          label: 'an unknown method',
          answered: await world.send(
            await world.registering({ ...web, token_endpoint_auth_method: 'touchstone_handshake' }),
          ),
          codes: ['invalid_client_metadata'],
        },
      ].filter(({ answered: { status } }) => status === 400)
      if (answers.length === 0) throw new NotApplicable('nothing is refused with status 400')
      for (const { label, answered, codes } of answers)
        world.expect(answered, labelled(label, hasCode(...codes)))
    },
  }),

  watch('AUTH-REGISTER-12', {
    title: 'answers registrations with application/json',
    root: 'AUTH-REGISTER-01',
    sources: ['AUTH-REGISTER-01'],
    examine(exchange) {
      const { status = 0, operation } = exchange
      const isAnswer =
        operation === 'register' &&
        (status === 201 || (isRefusal(exchange) && typeof members(exchange)['error'] === 'string'))
      const type = exchange.header('content-type')
      return isAnswer
        ? judged(
            { summary: type ?? 'no content type' },
            status === 201 ? 'of a client' : 'of a refusal',
            'application/json',
            /^application\/json *(;|$)/i.test(type ?? ''),
          )
        : []
    },
  }),
]

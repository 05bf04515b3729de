import { type Expectation, NotCovered, labelled } from '../../../../engine/index.ts'
import { HttpExchange } from '../../../../wire/index.ts'
import { decide } from '../../../../wire/oauth/consent.ts'
import { check } from '../../support/define.ts'
import type { Grant } from '../../support/grant.ts'
import { members } from '../../support/expectations.ts'
import { codeIn, summaryOf, type Walk } from '../../support/walk.ts'
import type { AuthWorld } from '../../support/world.ts'
import { own } from '../../support/oauth/granting.ts'
import { givesNoCode, type Ended } from '../../support/oauth/trip.ts'
import type { ToolsNeed } from '../../../tools/target.ts'

const patterns = ['oauth-provider'] as const

/** The fields of a target file's form that ask for a password on the pages of a walk, and the others. */
function fieldsOf(
  { pages }: Walk,
  form: Readonly<Record<string, string>>,
): { passwords: readonly string[]; names: readonly string[] } {
  const shown = pages
    .flatMap(({ forms }) => forms.flatMap(({ fields }) => fields))
    .filter(({ name }) => name in form)
  const named = (isPassword: boolean) => [
    ...new Set(
      shown.filter(({ type }) => (type === 'password') === isPassword).map(({ name }) => name),
    ),
  ]
  return { passwords: named(true), names: named(false) }
}

/** Comes again with a browser that was here before. */
async function comesAgain(
  world: AuthWorld,
  { client, walk: { browser } }: Grant,
): Promise<Grant | Ended> {
  if (browser === undefined)
    throw new NotCovered<ToolsNeed>('a program goes, and not the suite', ['tools.auth.consent'])
  const ask = await world.ask({}, client)
  const { form, approve, deny } = world.auth
  const { destination, pages, exchanges, problem } = await decide(
    browser,
    await browser.open(ask.request.url, { operation: 'authorize' }),
    'approve',
    { form, approve, deny },
  )
  const walk: Walk = {
    ask,
    back: destination,
    pages,
    exchanges,
    browser,
    summary: summaryOf(destination, problem, exchanges.at(-1)),
  }
  const code = codeIn(walk)
  return code === undefined
    ? walk
    : { client: ask.client, ask, walk, code: world.made.add(code, 'code') }
}

const tokensCome: Expectation<HttpExchange> = {
  name: 'gets a token',
  expected: 'an access token',
  test: (exchange) => typeof members(exchange)['access_token'] === 'string',
}

/** Users that a server knows itself. */
export const provider = [
  check('AUTH-PROVIDER-01', {
    title: 'leads a user from the question to tokens, and again when he comes back',
    patterns,
    async play(world) {
      const grant = await world.grant({}, await own(world, 'provider 01'))
      world.received(await world.sendOrBlock(await world.exchange(grant)), grant)
      const second = await comesAgain(world, grant)
      const ended: Ended = 'code' in second ? second.walk : second
      world.expectOf(
        ended,
        labelled('the second time', {
          name: 'gets a code',
          expected: 'a code',
          test: (one) => codeIn(one) !== undefined,
        }),
      )
      if ('code' in second)
        world.expect(
          await world.send(await world.exchange(second)),
          labelled('the second time', tokensCome),
        )
    },
  }),

  check('AUTH-PROVIDER-02', {
    title: 'gives no code for a wrong password, nor to whom it does not know',
    patterns,
    async play(world) {
      const { form = {}, consent } = world.auth
      if (consent === 'command')
        throw new NotCovered<ToolsNeed>('a program signs in, and not the suite', [
          'tools.auth.consent',
        ])
      const client = await own(world, 'provider 02')
      const { walk: right } = await world.grant({}, client)
      const { passwords, names } = fieldsOf(right, form)
      if (passwords.length === 0)
        throw new NotCovered<ToolsNeed>('no page asks for a password that the target file tells', [
          'tools.auth.form',
        ])
      const instead = (fields: readonly string[], change: (value: string) => string) => ({
        ...form,
        ...Object.fromEntries(fields.map((name) => [name, change(form[name]!)])),
      })
      const attempts: Readonly<Record<string, Readonly<Record<string, string>>>> = {
        'another password': instead(passwords, () => 'touchstone-guesses'),
        // Whoever compares the beginning only, lets this in.
        'a letter more': instead(passwords, (value) => `${value}x`),
        'no password': instead(passwords, () => ''),
        ...(names.length === 0
          ? {}
          : { 'an unknown user': instead(names, (value) => `${value}-nobody`) }),
      }
      // One after the other, and in between the right one, which shows that this alone made the difference: many wrong ones together may lock a user out.
      for (const [label, typed] of Object.entries(attempts)) {
        const ask = await world.ask({}, client)
        world.expectOf(
          await world.walk(ask, 'approve', { form: typed }),
          labelled(label, givesNoCode),
        )
        await world.grant({}, client)
      }
    },
  }),

  check('AUTH-PROVIDER-07', {
    title: 'offers more than the three endpoints, or does not',
    patterns,
    async play(world) {
      const { metadata, introspect, revoke } = await world.endpoints()
      const json = (metadata?.json ?? {}) as Readonly<Record<string, unknown>>
      const { refresh } = await world.tokens({}, await own(world, 'provider 07'))
      const listed = (name: string) =>
        Array.isArray(json[name]) ? json[name].join(', ') : 'untold'
      world.observe(
        `${introspect === undefined ? 'no introspection' : 'introspection'}, ${revoke === undefined ? 'no revocation' : 'revocation'}, ${refresh === undefined ? 'no refresh tokens' : 'refresh tokens'}; grant types: ${listed('grant_types_supported')}; scopes: ${listed('scopes_supported')}`,
      )
    },
  }),
]

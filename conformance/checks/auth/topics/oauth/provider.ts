import { NotCovered, labelled } from '../../../../engine/index.ts'
import { swapCase } from '../../../../wire/swap-case.ts'
import { check } from '../../support/define.ts'
import { hasMember } from '../../support/contract.ts'
import type { Grant } from '../../support/grant.ts'
import {
  codeIn,
  decideSafely,
  describeEnd,
  type AuthorizationFlow,
} from '../../support/authorization-flow.ts'
import type { AuthWorld } from '../../support/world.ts'
import { invalidGrant, newUnknownToken, ownClient } from '../../support/oauth/clients-and-codes.ts'
import { findCredentials, signInAfterMistake } from '../../support/oauth/sign-in.ts'
import { returnsNoCode, type FlowEnd } from '../../support/oauth/upstream-login.ts'
import type { ToolsNeed } from '../../../tools/target.ts'

const patterns = ['oauth-provider'] as const

/**
 * Runs another flow of the same client in the same browser. Returns the new grant, or the end of
 * the flow if there was no code.
 */
async function runAgain(
  world: AuthWorld,
  { client, flow: { browser } }: Grant,
): Promise<Grant | FlowEnd> {
  if (browser === undefined)
    throw new NotCovered<ToolsNeed>('a consent program signs users in, so the suite cannot', [
      'tools.auth.consent',
    ])
  const authorization = await world.newAuthorizationRequest({}, client)
  const { signIns } = await world.harness()
  const { destination, pages, exchanges, problem } = await decideSafely(
    browser,
    await browser.open(authorization.httpRequest.url, { operation: 'authorize' }),
    'approve',
    { authorization, auth: world.auth, identity: undefined, signIns },
  )
  const flow: AuthorizationFlow = {
    authorization,
    destination,
    pages,
    exchanges,
    browser,
    summary: describeEnd(destination, problem, exchanges.at(-1)),
  }
  const code = codeIn(flow)
  return code === undefined
    ? flow
    : {
        client: authorization.client,
        authorization,
        flow,
        code: world.knownValues.add(code, 'code'),
      }
}

/** Checks of the pattern `oauth-provider`: servers with their own users. */
export const providerChecks = [
  check('AUTH-PROVIDER-01', {
    title: 'issues tokens in the first and in the second flow of a user with a client',
    patterns,
    async run(world) {
      const grant = await world.obtainGrant({}, await ownClient(world))
      world.readTokens(await world.sendOrBlock(await world.newTokenRequest(grant)), grant)
      const second = await runAgain(world, grant)
      const end: FlowEnd = 'code' in second ? second.flow : second
      world.expectValue(
        end,
        labelled('the second flow', {
          name: 'gets a code',
          expected: 'an authorization code',
          test: (one) => codeIn(one) !== undefined,
        }),
      )
      if ('code' in second)
        world.expect(
          await world.send(await world.newTokenRequest(second)),
          labelled('the second flow', hasMember('token success', 'access_token')),
        )
    },
  }),

  check('AUTH-PROVIDER-02', {
    title: 'issues no code for a wrong password or an unknown user',
    patterns,
    async run(world) {
      const { form = {} } = world.auth
      const client = await ownClient(world)
      const { passwords, names, withReplaced } = await findCredentials(world, client)
      const attempts: Readonly<Record<string, Readonly<Record<string, string>>>> = {
        'another password': withReplaced(passwords, () => 'touchstone-guesses'),
        // A server that compares only the beginning of a password accepts this one.
        'one character more': withReplaced(passwords, (value) => `${value}x`),
        'no password': withReplaced(passwords, () => ''),
        ...(passwords.every((name) => swapCase(form[name]!) === form[name])
          ? {}
          : {
              'the password with upper and lower case swapped': withReplaced(passwords, swapCase),
            }),
        ...(names.length === 0
          ? {}
          : { 'an unknown user': withReplaced(names, (value) => `${value}-unknown`) }),
      }
      // A correct sign-in follows each wrong one. This shows that only the changed field made the
      // difference, and prevents a lockout after several failures.
      for (const [label, values] of Object.entries(attempts)) {
        const authorization = await world.newAuthorizationRequest({}, client)
        world.expectValue(
          await world.runFlow(authorization, 'approve', { form: values }),
          labelled(label, returnsNoCode),
        )
        await world.obtainGrant({}, client)
      }
    },
  }),

  check('AUTH-AUTHORIZE-02', {
    title: 'returns the state to a user who has entered a wrong password before',
    door: 'a state before a wrong password',
    patterns,
    async run(world) {
      const flow = await signInAfterMistake(world, await ownClient(world))
      world.expectValue(flow, {
        name: 'returns the state',
        expected: 'the parameter state as it was sent',
        test: ({ authorization, destination }) =>
          destination?.searchParams.get('state') === authorization.state,
      })
    },
  }),

  check('AUTH-TOKEN-04', {
    title: 'refuses the wrong verifier if the user has entered a wrong password before',
    door: 'a code issued after a wrong password',
    patterns,
    async run(world) {
      const client = await ownClient(world)
      const obtain = async (): Promise<Grant> => {
        const flow = await signInAfterMistake(world, client)
        const code = world.knownValues.add(codeIn(flow)!, 'code')
        return { client, authorization: flow.authorization, flow, code }
      }
      const [first, last] = [await obtain(), await obtain()]
      await world.expectRefused(
        await world.newTokenRequest(first, { code_verifier: newUnknownToken() }),
        invalidGrant,
        { contrast: await world.newTokenRequest(last) },
      )
    },
  }),

  check('AUTH-PROVIDER-07', {
    title: 'records which optional endpoints exist',
    patterns,
    async run(world) {
      const { metadata, introspect, revoke } = await world.findEndpoints()
      const json = (metadata?.json ?? {}) as Readonly<Record<string, unknown>>
      const { refresh } = await world.obtainTokens({}, await ownClient(world))
      const listed = (name: string) =>
        Array.isArray(json[name]) ? json[name].join(', ') : 'not listed'
      const features = [
        introspect === undefined ? 'no introspection' : 'introspection',
        revoke === undefined ? 'no revocation' : 'revocation',
        refresh === undefined ? 'no refresh tokens' : 'refresh tokens',
      ].join(', ')
      world.observe(
        `${features}; grant types: ${listed('grant_types_supported')}; scopes: ${listed('scopes_supported')}`,
      )
    },
  }),
]

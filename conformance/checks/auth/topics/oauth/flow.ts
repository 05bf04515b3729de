import {
  identified,
  expecting,
  resourceOf,
  algorithmOf,
} from '../../support/oauth/independent-client.ts'
import { Blocked } from '../../../../engine/index.ts'
import type { StepResult } from '../../../../wire/index.ts'
import { ThirdPartyClient } from '../../../../wire/oauth/third-party-client.ts'
import type { Ask } from '../../support/ask.ts'
import { check, oauth } from '../../support/define.ts'
import type { Endpoints } from '../../support/endpoints.ts'
import { members } from '../../support/expectations.ts'
import { codeIn } from '../../support/walk.ts'

/** Whether metadata promise that users come back with the issuer (RFC 9207). */
const promisesIssuer = ({ metadata }: Endpoints): boolean =>
  metadata !== undefined &&
  members(metadata)['authorization_response_iss_parameter_supported'] === true

/** An independent client, and the server as a whole. */
export const flow = [
  check('AUTH-FLOW-01', {
    title: 'lets a client by somebody else register, ask, get tokens and use them',
    patterns: oauth,
    async play(world) {
      const { auth, made, send } = world
      const endpoints = await world.endpoints()
      const { root, issuer = root, authorize, token, register } = endpoints
      const client = await ThirdPartyClient.open({
        send,
        endpoints: {
          issuer,
          authorization_endpoint: authorize,
          token_endpoint: token,
          registration_endpoint: register,
        },
      })
      const expects = expecting(world)

      const algorithm = algorithmOf(endpoints)
      if (algorithm !== undefined)
        await expects(
          'reads the metadata',
          'metadata that it can go by',
          await client.discover(root, algorithm),
          ['AUTH-META-01', 'AUTH-META-02'],
        )

      const known = await identified(world, client, expects)
      const question = await client.startAuthorization(known.redirectUri, {
        scope: auth.scope,
        resource: auth.resource,
      })
      const ask: Ask = {
        client: known,
        redirectUri: known.redirectUri,
        state: made.add(question.state, 'state'),
        verifier: made.add(question.verifier, 'verifier'),
        challenge: made.add(question.challenge, 'challenge'),
        request: { operation: 'authorize', method: 'GET', url: question.url },
      }
      const walk = await world.walk(ask)
      if (walk.back === undefined) await world.requireMet('AUTH-AUTHORIZE-01', walk.summary)
      const back =
        walk.back === undefined
          ? { code: 'unanswered' as const, problem: walk.summary }
          : await client.readRedirect(walk.back, question, algorithm !== undefined)
      const answer = await expects('is sent back', 'an answer that it can go by', back, [
        'AUTH-AUTHORIZE-01',
        'AUTH-AUTHORIZE-02',
        ...(promisesIssuer(endpoints) ? ['AUTH-AUTHORIZE-13' as const] : []),
      ])
      if (codeIn(walk) === undefined) throw new Blocked('AUTH-AUTHORIZE-01', walk.summary)

      const got = await expects(
        'gets tokens',
        'tokens that it can go by',
        await client.exchangeCode(answer, known.redirectUri, question),
        ['AUTH-TOKEN-01'],
      )
      for (const one of [got.access, got.refresh]) if (one !== undefined) made.add(one, 'token')

      const resource = resourceOf(world)
      if (resource !== undefined)
        await expects(
          'uses them',
          'a status of success',
          served(await client.callResource(got.access, resource)),
          [world.served],
        )

      if (got.refresh === undefined) return
      const renewed = await expects(
        'renews them',
        'other tokens that it can go by',
        await client.refresh(got.refresh),
        ['AUTH-REFRESH-01'],
      )
      for (const one of [renewed.access, renewed.refresh])
        if (one !== undefined) made.add(one, 'token')
    },
  }),
]

const served = (used: StepResult<number>): StepResult<number> =>
  'problem' in used || (used.value >= 200 && used.value < 300)
    ? used
    : { code: 'unusable', problem: `status ${used.value}` }

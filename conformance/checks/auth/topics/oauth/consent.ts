import {
  Blocked,
  type Expectation,
  NotApplicable,
  NotCovered,
  labelled,
} from '../../../../engine/index.ts'
import type { Visit } from '../../../../wire/index.ts'
import { check, oauth as patterns } from '../../support/define.ts'
import {
  codeIn,
  decideSafely,
  returnedParameters,
  type AuthorizationFlow,
} from '../../support/authorization-flow.ts'
import type { AuthWorld } from '../../support/world.ts'
import { ownClient } from '../../support/oauth/clients-and-codes.ts'
import { newBrowserFor } from '../../support/oauth/new-browser.ts'
import {
  requireDecision,
  requireConsentPage,
  hasNoCode,
  offersDenial,
} from '../../support/oauth/flows.ts'
import { deniedClient, deniedClientIn, firstFlowIn } from '../../support/oauth/known-clients.ts'
import type { ToolsNeed } from '../../../tools/target.ts'

const asksFirst: Expectation<AuthorizationFlow> = {
  name: 'asks first',
  expected: 'a consent page before the authorization code',
  test: (flow) => codeIn(flow) === undefined || flow.pages.length > 0,
}
const isDenial: Expectation<AuthorizationFlow> = {
  name: 'is access_denied',
  expected: 'error access_denied',
  test: (flow) => returnedParameters(flow)['error'] === 'access_denied',
}
const hasNoCodeYet: Expectation<Visit> = {
  name: 'returns no code without consent',
  expected: 'no authorization code before the user decides',
  test: ({ destination }) =>
    destination?.searchParams.get('code') === null || destination === undefined,
  received: () => 'an authorization code before the user decides',
}

async function denyFlow(world: AuthWorld): Promise<AuthorizationFlow> {
  requireDecision(world)
  const flow = await world.runFlow(
    await world.newAuthorizationRequest({}, await deniedClientIn(world)),
    'deny',
  )
  if (flow.browser !== undefined && flow.pages.length === 0)
    await world.requireMet('AUTH-CONSENT-01', 'the user was not asked')
  // Possibly, the suite did not find the button or link that denies, or the server did not ask
  // because the user has approved before.
  if (flow.pages.length > 0 && !flow.pages.some((page) => offersDenial(page, world.auth)))
    throw new NotCovered<ToolsNeed>(flow.summary, ['tools.auth.deny'])
  return flow
}

/** Checks of the decisions of users. */
export const consentChecks = [
  check('AUTH-CONSENT-01', {
    title: 'asks the user before it returns a code',
    patterns,
    async run(world) {
      requireConsentPage(world)
      const { flow } = await firstFlowIn(world)
      if (codeIn(flow) === undefined) await world.requireMet('AUTH-AUTHORIZE-01', flow.summary)
      world.expectValue(flow, asksFirst)
    },
  }),

  check('AUTH-CONSENT-01', {
    title: 'returns no code before the user decides',
    patterns,
    root: 'AUTH-AUTHORIZE-01',
    async run(world) {
      requireConsentPage(world)
      const client = await deniedClientIn(world)
      const browser = newBrowserFor(world, client)
      for (const label of ['the first request of a client', 'the second request of a client']) {
        const { httpRequest } = await world.newAuthorizationRequest({}, client)
        world.expectValue(
          await browser.open(httpRequest.url, { operation: 'authorize' }),
          labelled(label, hasNoCodeYet),
        )
      }
    },
  }),

  check('AUTH-CONSENT-01', {
    title: 'asks for approval again for another client',
    door: 'a request of another client',
    patterns,
    root: 'AUTH-AUTHORIZE-01',
    async run(world) {
      requireConsentPage(world)
      const {
        flow: { browser },
      } = await world.obtainGrant()
      if (browser === undefined) throw new Blocked('AUTH-AUTHORIZE-01', 'there was no browser')
      const other = await deniedClient(world)
      world.expectValue(
        await browser.open((await world.newAuthorizationRequest({}, other)).httpRequest.url, {
          operation: 'authorize',
        }),
        hasNoCodeYet,
      )
    },
  }),

  check('AUTH-CONSENT-13', {
    title: 'asks again at the next request of a client without a secret',
    patterns,
    root: 'AUTH-AUTHORIZE-01',
    async run(world) {
      requireConsentPage(world)
      const client = await ownClient(world)
      if (client.secret !== undefined) throw new NotApplicable('the client has a secret')
      const {
        flow: { browser },
      } = await world.obtainGrant({}, client)
      if (browser === undefined) throw new Blocked('AUTH-AUTHORIZE-01', 'there was no browser')
      const { httpRequest } = await world.newAuthorizationRequest({}, client)
      world.expectValue(
        await browser.open(httpRequest.url, { operation: 'authorize' }),
        hasNoCodeYet,
      )
    },
  }),

  check('AUTH-CONSENT-12', {
    title: 'counts each approval for the request whose page the user saw',
    patterns,
    root: 'AUTH-AUTHORIZE-01',
    async run(world) {
      requireConsentPage(world)
      const client = await ownClient(world)
      const browser = newBrowserFor(world, client)
      const openPage = async () => {
        const authorization = await world.newAuthorizationRequest({}, client)
        const visit = await browser.open(authorization.httpRequest.url, { operation: 'authorize' })
        if (visit.page === undefined) throw new NotApplicable('no page asks the user')
        return { authorization, visit }
      }
      const pages = [await openPage(), await openPage()]
      const { identity, signIns } = await world.harness()
      let redirects = 0
      for (const { authorization, visit } of pages) {
        const { destination } = await decideSafely(browser, visit, 'approve', {
          authorization,
          auth: world.auth,
          identity,
          signIns,
        })
        // A server may accept only the page that it showed last.
        world.expectValue(destination, {
          name: 'redirects for the request of the page',
          expected: 'no redirect, or the state of the request whose page the user saw',
          test: (url) => url === undefined || url.searchParams.get('state') === authorization.state,
          received: () => 'the state of the other request',
        })
        if (destination !== undefined) redirects += 1
      }
      if (redirects === 0) throw new NotApplicable('no approval leads back to the client')
    },
  }),

  check('AUTH-CONSENT-02', {
    title: 'returns access_denied to the client if the user denies',
    patterns,
    root: 'AUTH-AUTHORIZE-01',
    async run(world) {
      world.expectValue(await denyFlow(world), hasNoCode, isDenial)
    },
  }),

  check('AUTH-CONSENT-03', {
    title: 'returns the parameter state with the error if the user denies',
    patterns,
    root: 'AUTH-AUTHORIZE-01',
    async run(world) {
      const flow = await denyFlow(world)
      if (returnedParameters(flow)['error'] === undefined)
        throw new Blocked('AUTH-CONSENT-02', flow.summary)
      world.expectValue(flow, {
        name: 'returns the state',
        expected: 'the parameter state as it was sent',
        test: ({ authorization, destination }) =>
          destination?.searchParams.get('state') === authorization.state,
      })
    },
  }),
]

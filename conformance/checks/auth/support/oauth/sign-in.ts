import { NotApplicable, NotCovered } from '../../../../engine/index.ts'
import type { ToolsNeed } from '../../../tools/target.ts'
import { codeIn, decideSafely, describeEnd, type AuthorizationFlow } from '../authorization-flow.ts'
import type { Client } from '../client.ts'
import type { AuthWorld } from '../world.ts'

type Form = Readonly<Record<string, string>>

/**
 * The names of the form fields in a flow for which the target file contains values: `passwords` of
 * password fields, and `names` of other fields, such as the user name.
 */
function fieldsOf(
  { pages }: AuthorizationFlow,
  form: Form,
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

interface Credentials extends ReturnType<typeof fieldsOf> {
  /** The values of the target file, with some of them changed. */
  withReplaced(fields: readonly string[], change: (value: string) => string): Form
}

/**
 * Lets the user of the target file sign in, to find the fields for the credentials. Throws
 * `NotCovered` if there are none.
 */
export async function findCredentials(world: AuthWorld, client: Client): Promise<Credentials> {
  const { form = {}, consent } = world.auth
  if (consent === 'command')
    throw new NotCovered<ToolsNeed>('a consent program signs users in, so the suite cannot', [
      'tools.auth.consent',
    ])
  const { flow } = await world.obtainGrant({}, client)
  const fields = fieldsOf(flow, form)
  if (fields.passwords.length === 0)
    throw new NotCovered<ToolsNeed>('no page asks for a password that the target file contains', [
      'tools.auth.form',
    ])
  return {
    ...fields,
    withReplaced: (names, change) => ({
      ...form,
      ...Object.fromEntries(names.map((name) => [name, change(form[name]!)])),
    }),
  }
}

/**
 * Runs a flow in which the user enters a wrong password, and the right one on the page that the
 * server then shows. Throws `NotApplicable` if this does not lead to a code: the server may require
 * that the user starts again.
 */
export async function signInAfterMistake(
  world: AuthWorld,
  client: Client,
): Promise<AuthorizationFlow> {
  const { passwords, withReplaced } = await findCredentials(world, client)
  const authorization = await world.newAuthorizationRequest({}, client)
  const { browser, pages } = await world.runFlow(authorization, 'approve', {
    form: withReplaced(passwords, () => 'touchstone-guesses'),
  })
  const page = pages.at(-1)
  if (browser === undefined || page === undefined) throw new NotApplicable('no page was shown')
  const { signIns } = await world.harness()
  const result = await decideSafely(browser, { exchanges: [], page }, 'approve', {
    authorization,
    auth: world.auth,
    identity: undefined,
    signIns,
  })
  const { destination, exchanges, problem } = result
  const summary = describeEnd(destination, problem, exchanges.at(-1))
  const flow = { authorization, destination, exchanges, pages: result.pages, browser, summary }
  if (codeIn(flow) === undefined)
    throw new NotApplicable(`after a wrong password, the right one leads to no code: ${summary}`)
  return flow
}

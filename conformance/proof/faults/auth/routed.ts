import {
  defaultChoices as oauthChoices,
  type Choices as OAuthChoices,
} from '../../../../mocks/stateful/oauth/choices.ts'
import {
  defaultRules as oauthRules,
  type Rules as OAuthRules,
} from '../../../../mocks/stateful/oauth/rules.ts'
import {
  defaultJwtChoices,
  type JwtChoices,
} from '../../../../mocks/stateful/tools/auth/jwt/choices.ts'
import { defaultJwtRules, type JwtRules } from '../../../../mocks/stateful/tools/auth/jwt/rules.ts'
import {
  defaultRules,
  type Choices as ServerChoices,
  type Rules as ServerRules,
} from '../../../../mocks/stateful/tools.ts'
import { defaultChoices } from '../../../../mocks/stateful/tools/choices.ts'
import type { Choices, Deviation, Hosting } from './fault.ts'

interface Of<C, R> {
  choices: Partial<C>
  rules: Partial<R>
}

/** A deviation, each part of it where it belongs. */
export interface Routed {
  hosting: Partial<Hosting>
  jwt: Of<JwtChoices, JwtRules>
  oauth: Of<OAuthChoices, OAuthRules> & Pick<Deviation, 'answered'>
  /** For the server itself, with what stands at its places. */
  server: Of<ServerChoices, ServerRules> & Omit<Deviation, 'choices' | 'rules' | 'answered'>
}

/** Takes a deviation apart by the names of what it changes; `choices` are those of a configuration, and give way to its own. */
export function routed(
  { choices: own, rules = {}, answered, ...places }: Deviation,
  choices: Partial<Choices> = {},
): Routed {
  const all = { ...choices, ...own }
  const of = <T extends object>(given: object, known: object): Partial<T> =>
    Object.fromEntries(Object.entries(given).filter(([name]) => name in known)) as Partial<T>
  const known = { ...defaultJwtChoices, ...oauthChoices, ...defaultChoices }
  return {
    hosting: Object.fromEntries(Object.entries(all).filter(([name]) => !(name in known))),
    jwt: {
      choices: of<JwtChoices>(all, defaultJwtChoices),
      rules: of<JwtRules>(rules, defaultJwtRules),
    },
    oauth: {
      choices: of<OAuthChoices>(all, oauthChoices),
      rules: of<OAuthRules>(rules, oauthRules),
      ...(answered && { answered }),
    },
    server: {
      choices: of<ServerChoices>(all, defaultChoices),
      rules: of<ServerRules>(rules, defaultRules),
      ...places,
    },
  }
}

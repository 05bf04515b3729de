import { describe, expect, it } from 'vitest'
import { defaultChoices as oauthChoices } from '../../../../mocks/stateful/oauth/choices.ts'
import { defaultRules as oauthRules } from '../../../../mocks/stateful/oauth/rules.ts'
import { defaultJwtChoices } from '../../../../mocks/stateful/tools/auth/jwt/choices.ts'
import { defaultJwtRules } from '../../../../mocks/stateful/tools/auth/jwt/rules.ts'
import { defaultChoices } from '../../../../mocks/stateful/tools/choices.ts'
import { defaultRules } from '../../../../mocks/stateful/tools.ts'
import type { Hosting } from './fault.ts'
import { routed } from './routed.ts'

const hosting: Required<Record<keyof Hosting, true>> = {
  pattern: true,
  secret: true,
  transports: true,
  registration: true,
  consentScreen: true,
  consent: true,
  scope: true,
  paths: true,
  attempts: true,
  untold: true,
}

describe('a deviation', () => {
  it.each([
    ['choices', [defaultJwtChoices, oauthChoices, defaultChoices, hosting]],
    ['rules', [defaultJwtRules, oauthRules, defaultRules]],
  ])('has %s of which each name belongs to one part', (_, parts) => {
    const names = parts.flatMap((part) => Object.keys(part))
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([])
  })

  it('goes to its parts by the names of what it changes', () => {
    const door = () => {}
    const answered = () => ({ status: 200 })
    const rules = { guards: () => false, codeSeconds: 1, maxBytes: 2 }
    expect(
      routed(
        { choices: { challenges: false, untold: ['secret'] }, rules, door, answered },
        { challenges: true, jsonForms: 'taken', sessions: false, pattern: 'jwt' },
      ),
    ).toEqual({
      hosting: { pattern: 'jwt', untold: ['secret'] },
      jwt: { choices: { challenges: false }, rules: { guards: rules.guards } },
      oauth: { choices: { jsonForms: 'taken' }, rules: { codeSeconds: 1 }, answered },
      server: { choices: { sessions: false }, rules: { maxBytes: 2 }, door },
    })
  })
})

import { isObject } from '../../../mocks/stateful/http/body.ts'
import { describe, expect, it } from 'vitest'
import { requirements, type RequirementId } from '../../../generated/requirements/index.ts'
import { configurationsOf } from './configurations.ts'
import * as jwt from './auth/jwt/index.ts'
import * as oauth from './auth/oauth/index.ts'
import * as greeting from './greeting/index.ts'
import * as hooks from './hooks/index.ts'
import * as images from './images/index.ts'
import * as receiver from './receiver/index.ts'
import * as tools from './tools/index.ts'
import { combinable, deviates, nameOf, type AnyDeviation, type Factor } from './variation.ts'

/** The names of what an object sets, also those in its groups. */
const namesIn = (given: object): string[] =>
  Object.entries(given).flatMap(([name, value]: [string, unknown]) =>
    isObject(value) ? Object.keys(value).map((inner) => `${name}.${inner}`) : [name],
  )

/** Whose open rows each service fills. */
const roles = {
  images: ['images'],
  hooks: ['hooks', 'events'],
  receiver: ['events'],
  greeting: ['greeting'],
  tools: ['tools'],
  jwt: ['auth'],
  oauth: ['auth'],
}
/** Where several services share a contract: the topics of each. */
const topics: Readonly<Record<string, readonly string[]>> = {
  jwt: ['jwt'],
  oauth: [
    'endpoints',
    'registration',
    'authorization',
    'consent',
    'token',
    'refresh',
    'resource',
    'metadata',
    'proxy',
    'provider',
    'practice',
    'flow',
  ],
}

const services = { images, hooks, receiver, greeting, tools, jwt, oauth } as const

describe.each(Object.entries(services))(
  'the variations of %s',
  (name, { factors: own, exclusions, withoutLevels }) => {
    const factors = own as unknown as readonly Factor<AnyDeviation>[]
    const configurations = configurationsOf(factors, exclusions)
    const levelsOf = (row: string) =>
      factors.filter((factor) => factor.row === row).flatMap(({ levels }) => levels)
    const open = (Object.keys(requirements) as RequirementId[]).filter((id) => {
      const { level, contract, role, topic } = requirements[id]
      return (
        level === 'open' &&
        roles[name as keyof typeof roles].includes(contract) &&
        (role === 'receiver') === (name === 'receiver') &&
        (topics[name]?.includes(topic) ?? true)
      )
    })

    it.each(open)('fill %s in at least two ways, or say why not', (row) => {
      const reason = withoutLevels[row]
      if (reason === undefined) expect(levelsOf(row).length).toBeGreaterThanOrEqual(2)
      else expect([reason.length > 0, levelsOf(row)]).toEqual([true, []])
    })

    it('give reasons for open rows only', () => {
      expect(
        Object.keys(withoutLevels).filter((id) => !open.includes(id as RequirementId)),
      ).toEqual([])
    })

    it('have names of their own', () => {
      const named = factors.flatMap((factor) => factor.levels.map((level) => nameOf(factor, level)))
      expect(named.filter((one, at) => named.indexOf(one) !== at)).toEqual([])
      const called = factors.map(({ factor }) => factor)
      expect(called.filter((one, at) => called.indexOf(one) !== at)).toEqual([])
    })

    it('begin each factor with what the reference does, and deviate in every other level', () => {
      for (const factor of factors) {
        expect(factor.levels.map(deviates), factor.factor).toEqual(
          factor.levels.map((_, at) => at > 0),
        )
        expect(factor.levels.length, factor.factor).toBeGreaterThanOrEqual(2)
      }
    })

    it('leave nothing unkept but rows of level should', () => {
      for (const row of factors.flatMap(({ levels }) => levels.flatMap(({ warns = [] }) => warns)))
        expect(requirements[row].level, row).toBe('should')
    })

    it('make every choice in one factor only, so that no combination overwrites one', () => {
      const claims = combinable(factors).flatMap(({ factor, levels }) =>
        [
          ...new Set(
            levels.flatMap(({ choices = {}, deviation = {} }) =>
              [choices, deviation.choices ?? {}, deviation.rules ?? {}].flatMap(namesIn),
            ),
          ),
        ].map((key) => `${key} by ${factor}`),
      )
      const keys = claims.map((claim) => claim.split(' ')[0])
      expect(claims.filter((_, at) => keys.indexOf(keys[at]) !== at)).toEqual([])
    })

    it('try every level alone, and a few combinations', () => {
      const alone = factors.flatMap((factor) =>
        factor.levels.filter(deviates).map((level) => nameOf(factor, level)),
      )
      expect([...configurations.keys()].slice(0, alone.length)).toEqual(alone)
      expect(configurations.size - alone.length).toBeLessThanOrEqual(30)
    })

    it('exclude levels that are tried in combinations otherwise', () => {
      const names = combinable(factors).flatMap((factor) =>
        factor.levels.map((level) => nameOf(factor, level)),
      )
      for (const one of exclusions.flatMap(({ levels }) => levels)) expect(names).toContain(one)
    })
  },
)

import { isObject } from '../../../mocks/stateful/http/body.ts'
import { describe, expect, it } from 'vitest'
import { requirements, type RequirementId } from '../../../generated/requirements/index.ts'
import { subjects } from '../../checks/index.ts'
import { families } from '../families.ts'
import type { Family } from '../family.ts'
import { listConfigurations } from './configurations.ts'
import { combinableFactors, isDeviating, levelName } from './variation.ts'

/** The names of what an object sets, also those in its groups. */
const namesIn = (given: object): string[] =>
  Object.entries(given).flatMap(([name, value]: [string, unknown]) =>
    isObject(value) ? Object.keys(value).map((inner) => `${name}.${inner}`) : [name],
  )

const open = (Object.keys(requirements) as RequirementId[]).filter(
  (id) => requirements[id].level === 'open',
)

/** The contracts whose open requirements a family may fill: all of its subject, less those that have families of their own. */
function contractsOf({ name, contract }: Family): readonly string[] {
  if (contract !== undefined) return [contract]
  const subject = subjects.find(({ section }) => section.name === name)!
  return subject.contracts.filter((other) => families.every((family) => family.contract !== other))
}

it.each(open)('%s is filled in at least two ways by one family, or one says why not', (row) => {
  const involved = families
    .map(({ factors, withoutVariations }) => ({
      levels: factors.filter((factor) => factor.requirement === row).flatMap(({ levels }) => levels)
        .length,
      isExcused: row in withoutVariations,
    }))
    .filter(({ levels, isExcused }) => levels > 0 || isExcused)
  expect(involved).toHaveLength(1)
  const { levels, isExcused } = involved[0]!
  if (isExcused) expect(levels).toBe(0)
  else expect(levels).toBeGreaterThanOrEqual(2)
})

describe.each(families.map((family) => [family.name, family] as const))(
  'the variations of %s',
  (_, family) => {
    const { factors, exclusions, withoutVariations } = family
    const configurations = listConfigurations(factors, exclusions)

    it('give reasons for open requirements of their own contracts', () => {
      for (const [row, reason] of Object.entries(withoutVariations)) {
        const { level, contract } = requirements[row as RequirementId]
        expect([level, contractsOf(family).includes(contract)], row).toEqual(['open', true])
        expect(reason.length, row).toBeGreaterThan(0)
      }
    })

    it('fill open requirements of their own contracts', () => {
      for (const { requirement: row } of factors)
        if (row !== 'form' && requirements[row].level === 'open')
          expect(contractsOf(family), row).toContain(requirements[row].contract)
    })

    it('have names of their own', () => {
      const named = factors.flatMap((factor) =>
        factor.levels.map((level) => levelName(factor, level)),
      )
      expect(named.filter((one, at) => named.indexOf(one) !== at)).toEqual([])
      const called = factors.map(({ name: factor }) => factor)
      expect(called.filter((one, at) => called.indexOf(one) !== at)).toEqual([])
    })

    it('begin each factor with what the reference does, and deviate in every other level', () => {
      for (const factor of factors) {
        expect(factor.levels.map(isDeviating), factor.name).toEqual(
          factor.levels.map((_, at) => at > 0),
        )
        expect(factor.levels.length, factor.name).toBeGreaterThanOrEqual(2)
      }
    })

    it('leave nothing unkept but rows of level should', () => {
      for (const row of factors.flatMap(({ levels }) =>
        levels.flatMap(({ unmet: unmet = [] }) => unmet),
      ))
        expect(requirements[row].level, row).toBe('should')
    })

    it('make every choice in one factor only, so that no combination overwrites one', () => {
      const claims = combinableFactors(factors).flatMap(({ name: factor, levels }) =>
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
        factor.levels.filter(isDeviating).map((level) => levelName(factor, level)),
      )
      expect([...configurations.keys()].slice(0, alone.length)).toEqual(alone)
      expect(configurations.size - alone.length).toBeLessThanOrEqual(30)
    })

    it('exclude levels that are tried in combinations otherwise', () => {
      const names = combinableFactors(factors).flatMap((factor) =>
        factor.levels.map((level) => levelName(factor, level)),
      )
      for (const one of exclusions.flatMap(({ levels }) => levels)) expect(names).toContain(one)
    })
  },
)

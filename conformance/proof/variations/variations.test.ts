import { isObject } from '../../../mocks/stateful/http/body.ts'
import { describe, expect, it } from 'vitest'
import { requirements, type RequirementId } from '../../../generated/requirements/index.ts'
import { subjects } from '../../checks/index.ts'
import { families } from '../families.ts'
import type { Family } from '../family.ts'
import { listConfigurations, listQuickConfigurations } from './configurations.ts'
import { combinableFactors, isDeviating, levelName } from './variation.ts'

/** Returns the keys of an object and of its groups. */
const namesIn = (settings: object): string[] =>
  Object.entries(settings).flatMap(([name, value]: [string, unknown]) =>
    isObject(value) ? Object.keys(value).map((inner) => `${name}.${inner}`) : [name],
  )

const open = (Object.keys(requirements) as RequirementId[]).filter(
  (id) => requirements[id].level === 'open',
)

/**
 * The contracts whose open requirements a family may fill: all of its subject, less those that have
 * separate families.
 */
function contractsOf({ name, contract }: Family): readonly string[] {
  if (contract !== undefined) return [contract]
  const subject = subjects.find(({ section }) => section.name === name)!
  return subject.contracts.filter((other) => families.every((family) => family.contract !== other))
}

it.each(open)('%s has at least two levels in one family, or a reason for none', (id) => {
  const involved = families
    .map(({ factors, withoutVariations }) => ({
      levels: factors.filter((factor) => factor.requirement === id).flatMap(({ levels }) => levels)
        .length,
      isExcused: id in withoutVariations,
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

    it('have reasons for open requirements without levels, all of their own contracts', () => {
      for (const [id, reason] of Object.entries(withoutVariations)) {
        const { level, contract } = requirements[id as RequirementId]
        expect([level, contractsOf(family).includes(contract)], id).toEqual(['open', true])
        expect(reason.length, id).toBeGreaterThan(0)
      }
    })

    it('use only open requirements of their own contracts', () => {
      for (const { requirement: id } of factors)
        if (id !== 'form' && requirements[id].level === 'open')
          expect(contractsOf(family), id).toContain(requirements[id].contract)
    })

    it('have unique names', () => {
      const levelNames = factors.flatMap((factor) =>
        factor.levels.map((level) => levelName(factor, level)),
      )
      expect(levelNames.filter((name, index) => levelNames.indexOf(name) !== index)).toEqual([])
      const names = factors.map(({ name }) => name)
      expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
    })

    it('start each factor with the behaviour of the reference, and deviate in every other level', () => {
      for (const factor of factors) {
        expect(factor.levels.map(isDeviating), factor.name).toEqual(
          factor.levels.map((_, at) => at > 0),
        )
        expect(factor.levels.length, factor.name).toBeGreaterThanOrEqual(2)
      }
    })

    it('violate only requirements of level should', () => {
      for (const id of factors.flatMap(({ levels }) => levels.flatMap(({ unmet = [] }) => unmet)))
        expect(requirements[id].level, id).toBe('should')
    })

    it('set every choice in one factor only, so that combinations do not overwrite it', () => {
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

    it('include every level alone, and at most 30 combinations', () => {
      const alone = factors.flatMap((factor) =>
        factor.levels.filter(isDeviating).map((level) => levelName(factor, level)),
      )
      expect([...configurations.keys()].slice(0, alone.length)).toEqual(alone)
      expect(configurations.size - alone.length).toBeLessThanOrEqual(30)
    })

    it('all occur in the quick proof, and alone in one of its parts', () => {
      const combinable = combinableFactors(factors)
      const parts = [0, 1, 2].map((part) =>
        listQuickConfigurations(factors, exclusions, { part, parts: 3 }),
      )
      for (const quick of parts) {
        const levels = [...quick].flatMap(([name, choice]): string[] =>
          'levels' in choice
            ? choice.levels.map((level, index) =>
                levelName(combinable[index]!, combinable[index]!.levels[level]!),
              )
            : [name],
        )
        for (const factor of factors)
          for (const level of factor.levels.filter(isDeviating))
            expect(levels).toContain(levelName(factor, level))
      }
      expect(new Set(parts.flatMap((quick) => [...quick.keys()]))).toEqual(
        new Set(configurations.keys()),
      )
    })

    it('exclude only levels that are tried in combinations', () => {
      const names = combinableFactors(factors).flatMap((factor) =>
        factor.levels.map((level) => levelName(factor, level)),
      )
      for (const one of exclusions.flatMap(({ levels }) => levels)) expect(names).toContain(one)
    })
  },
)

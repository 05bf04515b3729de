import { isObject } from '../../../mocks/stateful/http/body.ts'
import { describe, expect, it } from 'vitest'
import { requirements, type RequirementId } from '../../../generated/requirements/index.ts'
import { subjects } from '../../checks/index.ts'
import { families } from '../families.ts'
import type { Family } from '../family.ts'
import { listConfigurations, listFewConfigurations, type ValueChoice } from './configurations.ts'
import {
  combinableFactors,
  isDeviating,
  factorValueName,
  type AnyDeviation,
  type Factor,
} from './variation.ts'

/**
 * Returns the keys of an object. In place of a key whose value is an object, returns the keys of
 * that object, such as `group.key`.
 */
const namesIn = (settings: object): string[] =>
  Object.entries(settings).flatMap(([name, value]: [string, unknown]) =>
    isObject(value) ? Object.keys(value).map((inner) => `${name}.${inner}`) : [name],
  )

const open = (Object.keys(requirements) as RequirementId[]).filter(
  (id) => requirements[id].level === 'open',
)

/**
 * The contracts whose open requirements the factors of a family can name: all contracts of its
 * subject, except those with separate families.
 */
function contractsOf({ name, contract }: Family): readonly string[] {
  if (contract !== undefined) return [contract]
  const subject = subjects.find(({ section }) => section.name === name)!
  return subject.contracts.filter((other) => families.every((family) => family.contract !== other))
}

it.each(open)('one family varies exactly the choices in the catalogue entry of %s', (id) => {
  const varied = families
    .map(({ factors }) =>
      Object.fromEntries(
        factors
          .filter((factor) => factor.requirement === id)
          .map(({ name, values }) => [name, values.map((value) => value.name)]),
      ),
    )
    .filter((choices) => Object.keys(choices).length > 0)
  const { choices } = requirements[id]
  expect(varied).toEqual(choices === undefined ? [] : [choices])
})

describe.each(families.map((family) => [family.name, family] as const))(
  'the variations of %s',
  (_, family) => {
    const { factors, exclusions } = family
    const configurations = listConfigurations(factors, exclusions)

    it("vary only open requirements of the family's contracts", () => {
      for (const { requirement: id } of factors)
        if (id !== 'none' && requirements[id].level === 'open')
          expect(contractsOf(family), id).toContain(requirements[id].contract)
    })

    it('have unique names', () => {
      const valueNames = factors.flatMap((factor) =>
        factor.values.map((value) => factorValueName(factor, value)),
      )
      expect(valueNames.filter((name, index) => valueNames.indexOf(name) !== index)).toEqual([])
      const names = factors.map(({ name }) => name)
      expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
    })

    it('start each factor with the behaviour of the unchanged mock, and deviate in every other value', () => {
      for (const factor of factors) {
        expect(factor.values.map(isDeviating), factor.name).toEqual(
          factor.values.map((_, at) => at > 0),
        )
        expect(factor.values.length, factor.name).toBeGreaterThanOrEqual(2)
      }
    })

    it('violate only requirements of level should', () => {
      for (const id of factors.flatMap(({ values }) => values.flatMap(({ unmet = [] }) => unmet)))
        expect(requirements[id].level, id).toBe('should')
    })

    it('set every choice in one factor only, so that combinations do not overwrite it', () => {
      const claims = combinableFactors(factors).flatMap(({ name: factor, values }) =>
        [
          ...new Set(
            values.flatMap(({ choices = {}, deviation = {} }) =>
              [choices, deviation.choices ?? {}, deviation.rules ?? {}].flatMap(namesIn),
            ),
          ),
        ].map((key) => `${key} by ${factor}`),
      )
      const keys = claims.map((claim) => claim.split(' ')[0])
      expect(claims.filter((_, at) => keys.indexOf(keys[at]) !== at)).toEqual([])
    })

    it('include every value alone, and at most 36 combinations', () => {
      const alone = factors.flatMap((factor) =>
        factor.values.filter(isDeviating).map((value) => factorValueName(factor, value)),
      )
      expect([...configurations.keys()].slice(0, alone.length)).toEqual(alone)
      expect(configurations.size - alone.length).toBeLessThanOrEqual(36)
    })

    it('occur with every value in proof --check, with all combinable values in each part of the quick proof, and with all others in four parts', () => {
      const combinable = combinableFactors(factors)
      const count = 4
      const parts = Array.from({ length: count }, (_, part) =>
        listFewConfigurations(factors, exclusions, { part, parts: count }),
      )
      const valuesOf = (quick: ReadonlyMap<string, ValueChoice>) =>
        [...quick].flatMap(([name, choice]): string[] =>
          'values' in choice
            ? choice.values.map((value, index) =>
                factorValueName(combinable[index]!, combinable[index]!.values[value]!),
              )
            : [name],
        )
      const namesOf = (some: readonly Factor<AnyDeviation>[]) =>
        some.flatMap((factor) =>
          factor.values.filter(isDeviating).map((value) => factorValueName(factor, value)),
        )
      for (const quick of parts)
        expect(valuesOf(quick)).toEqual(expect.arrayContaining(namesOf(combinable)))
      expect(valuesOf(listFewConfigurations(factors, exclusions))).toEqual(
        expect.arrayContaining(namesOf(factors)),
      )
      expect(parts.flatMap(valuesOf)).toEqual(expect.arrayContaining(namesOf(factors)))
      expect(new Set(parts.flatMap((quick) => [...quick.keys()]))).toEqual(
        new Set(configurations.keys()),
      )
    })

    it('exclude only values that are tried in combinations', () => {
      const names = combinableFactors(factors).flatMap((factor) =>
        factor.values.map((value) => factorValueName(factor, value)),
      )
      for (const one of exclusions.flatMap(({ values }) => values)) expect(names).toContain(one)
    })
  },
)

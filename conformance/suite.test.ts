import { describe, expect, it } from 'vitest'
import { requirements, topics, type RequirementId } from '../generated/requirements/index.ts'
import { subjects } from './checks/index.ts'
import { plan, SelectionError, startSuite } from './suite.ts'
import { suiteDefaults } from './target-file/index.ts'

const planned = await plan()
const entries = Object.values(requirements)

describe('the checks', () => {
  it('cover every requirement that can be checked', () => {
    const checked = new Set(planned.map(({ requirement }) => requirement))
    const forgotten = entries
      .filter(
        (entry) =>
          entry.level !== 'open' &&
          !('unchecked' in entry) &&
          !checked.has(entry.id as RequirementId),
      )
      .map(({ id }) => id)
    expect(forgotten).toEqual([])
    const both = entries
      .filter((entry) => 'unchecked' in entry && checked.has(entry.id as RequirementId))
      .map(({ id }) => id)
    expect(both, 'requirements that are marked unchecked but have a check').toEqual([])
  })

  it('have unique keys', () => {
    const keys = planned.map(({ key }) => key)
    expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([])
  })

  it('have titles that state facts in the present tense', () => {
    for (const { key, title } of planned) {
      expect(title, key).not.toMatch(/\bshould\b|^tests?\b|test that|\.$|^[A-Z]/)
    }
    expect(planned.map(({ title }) => title).filter(({ length }) => length > 80)).toEqual([])
  })

  it('of each requirement have in common exactly the keys that the catalogue lists as needs', () => {
    for (const [id, { needs }] of Object.entries(requirements)) {
      const own = planned.filter(({ requirement }) => requirement === id)
      if (own.length === 0) continue
      const isOfDeliveries = own.every(
        ({ contract, section }) => contract === 'events' && section === 'hooks',
      )
      // Ignores the two keys that all checks of deliveries need: REQUIREMENTS.md names them only
      // once.
      const common = own[0]!.needs.filter(
        (need) =>
          own.every((check) => check.needs.includes(need)) &&
          !(isOfDeliveries && ['hooks.state', 'suite.receiver'].includes(need)),
      )
      expect([...needs].sort(), `needs of ${id} in specs/requirements`).toEqual(common.sort())
    }
  })

  it('are in the order of the catalogue', () => {
    const order = Object.keys(requirements)
    const positions = planned.map(({ requirement }) => order.indexOf(requirement))
    expect(positions).toEqual([...positions].sort((a, b) => a - b))
  })
})

describe('a selection', () => {
  it('selects checks by id, prefix, key, topic and level', async () => {
    expect(
      new Set((await plan({ only: ['IMG-UPLOAD-04'] })).map(({ requirement }) => requirement)),
    ).toEqual(new Set(['IMG-UPLOAD-04']))
    expect(
      (await plan({ only: ['IMG-UPLOAD'] })).every(({ requirement }) =>
        requirement.startsWith('IMG-UPLOAD-'),
      ),
    ).toBe(true)
    expect(await plan({ only: [planned[3]!.key] })).toEqual([planned[3]])
    for (const { topic } of topics)
      expect(await plan({ topics: [topic] })).toEqual(
        planned.filter((check) => check.topic === topic),
      )
    expect(await plan({ profile: 'mcp' })).toEqual(
      planned.filter(({ requirement }) => requirements[requirement].profile === 'mcp'),
    )
    expect((await plan({ levels: ['open'] })).every(({ level }) => level === 'open')).toBe(true)
  })

  it('of some sections excludes the checks of the others', async () => {
    expect(await plan({}, ['hooks'])).toEqual(planned.filter(({ section }) => section === 'hooks'))
    expect(await plan({ only: ['IMG-UPLOAD'] }, ['hooks'])).toEqual([])
  })

  it.each(subjects)('finds the checks of $section by their contracts', async (subject) => {
    const { checks } = await subject.load()
    expect(new Set(checks.map(({ entry }) => entry.contract))).toEqual(new Set(subject.contracts))
  })

  it.each([
    [{ only: ['IMG-UPLAOD-04'] }, /Did you mean IMG-UPLOAD-04/],
    [{ only: ['IMG-UP'] }, /There is no requirement "IMG-UP"/],
    [{ topics: ['uplod'] }, /Did you mean upload/],
    [{ levels: ['shall'] }, /There is no level/],
    [{ contracts: ['hook'] }, /There is no contract.*hooks/],
  ])('refuses %j with an explanation', async (selection, message) => {
    const refused = expect(plan(selection)).rejects
    await refused.toThrow(SelectionError)
    await refused.toThrow(message)
  })

  it('refuses an empty selection', async () => {
    await expect(
      startSuite({
        suite: {
          ...suiteDefaults,
          settle: 0,
          concurrency: 1,
          timeout: 1000,
        },
      }),
    ).rejects.toThrow(/Nothing to test/)
  })
})

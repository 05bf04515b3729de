import { levelOf, type ChangeList, type Direction, type Effect } from '../change.ts'
import { follow, isObject, type Located } from '../documents.ts'
import { canonical, isLowerLimit, nameTypes, shapeOf, type Parts, type Shape } from './shape.ts'

/** Compares the schemas of two versions of a document. */
export class SchemaComparison {
  readonly #changes: ChangeList
  /** The pairs of schemas that were compared, so that recursive schemas end. */
  readonly #compared = new Set<string>()

  constructor(changes: ChangeList) {
    this.#changes = changes
  }

  /** Compares two schemas of values that are written as `direction` says. */
  compare(older: Located, newer: Located, place: string, direction: Direction): void {
    this.#compareParts([older], [newer], place, direction)
  }

  /** Whether a named schema was compared, as a part of another one or by itself. */
  hasCompared(name: string): boolean {
    return this.#compared.has(`schema ${name}`)
  }

  #compareParts(older: Parts, newer: Parts, outerPlace: string, direction: Direction): void {
    const name = commonName(older, newer)
    const place = name === undefined ? outerPlace : `schema ${name}`
    const key = [identityOf(older), identityOf(newer), direction].join('|')
    if (this.#compared.has(key)) return
    this.#compared.add(key)
    const [before, after] = [shapeOf(older), shapeOf(newer)]
    for (const each of before.names) this.#compared.add(`schema ${each}`)
    if (this.#compareUnions(before, after, { older, newer, place, direction })) return
    this.#compareShapes(before, after, place, direction)
  }

  /**
   * Compares the alternatives of two schemas. Returns whether that compares the schemas completely,
   * because only one of them has alternatives.
   */
  #compareUnions(
    before: Shape,
    after: Shape,
    { older, newer, place, direction }: Context,
  ): boolean {
    const [unionsBefore, unionsAfter] = [before.unions, after.unions]
    if (unionsBefore.length === 0 && unionsAfter.length === 0) return false
    const pair = { place, direction }
    if (unionsBefore.length === unionsAfter.length) {
      unionsBefore.forEach((union, index) => {
        const other = unionsAfter[index]!
        if (union.keyword !== other.keyword) {
          const effect = union.keyword === 'oneOf' ? 'wider' : 'narrower'
          this.#add(effect, pair, 'union-changed', `${union.keyword} became ${other.keyword}`)
        }
        this.#compareBranches(
          union.branches.map((branch) => [branch]),
          other.branches.map((branch) => [branch]),
          pair,
        )
      })
      return false
    }
    if (unionsBefore.length + unionsAfter.length > 1) {
      this.#add('other', pair, 'union-changed', 'the alternatives cannot be compared')
      return false
    }
    const branchesOf = (shape: Shape, whole: Parts) =>
      shape.unions[0]?.branches.map((branch) => [...shape.rest, branch]) ?? [whole]
    this.#compareBranches(branchesOf(before, older), branchesOf(after, newer), pair)
    return true
  }

  #compareBranches(older: readonly Parts[], newer: readonly Parts[], pair: VersionPair): void {
    const left = new Set(newer)
    const unmatched = older.filter((branch) => {
      const twin = twinOf(branch, [...left])
      if (twin === undefined) return true
      left.delete(twin)
      this.#compareParts(branch, twin, `${pair.place} (${nameBranch(branch)})`, pair.direction)
      return false
    })
    const added = [...left]
    if (unmatched.length === 1 && added.length === 1)
      return this.#compareParts(unmatched[0]!, added[0]!, pair.place, pair.direction)
    for (const branch of unmatched)
      this.#add(
        'narrower',
        pair,
        'alternative-removed',
        `the alternative ${nameBranch(branch)} was removed`,
      )
    for (const branch of added)
      this.#add(
        'wider',
        pair,
        'alternative-added',
        `the alternative ${nameBranch(branch)} was added`,
      )
  }

  #compareShapes(before: Shape, after: Shape, place: string, direction: Direction): void {
    const pair = { place, direction }
    this.#compareTypes(before, after, pair)
    const common = [...before.types].filter((type) => after.types.has(type))
    if (common.length === 0) return
    this.#compareValues(before, after, pair)
    this.#compareLimits(before, after, pair)
    this.#compareConditions(before, after, pair)
    if (common.includes('object')) this.#compareProperties(before, after, pair)
    if (common.includes('array')) {
      this.#compareParts(orAny(before.items), orAny(after.items), `${place}/[]`, direction)
      const length = Math.max(before.prefixItems.length, after.prefixItems.length)
      for (let index = 0; index < length; index += 1)
        this.#compareParts(
          before.prefixItems[index] ?? orAny(before.items),
          after.prefixItems[index] ?? orAny(after.items),
          `${place}/${index}`,
          direction,
        )
    }
    this.#compareAnnotations(before, after, pair)
  }

  #compareTypes(before: Shape, after: Shape, pair: VersionPair): void {
    const removed = [...before.types].some((type) => !after.types.has(type))
    const added = [...after.types].some((type) => !before.types.has(type))
    if (!removed && !added) return
    this.#add(
      removed && added ? 'other' : removed ? 'narrower' : 'wider',
      pair,
      'type-changed',
      `the type ${nameTypes(before.types)} became ${nameTypes(after.types)}`,
    )
  }

  #compareValues({ values: before }: Shape, { values: after }: Shape, pair: VersionPair): void {
    if (before === undefined && after === undefined) return
    if (before === undefined)
      return this.#add('narrower', pair, 'values-limited', `only ${list(after!)} is allowed`)
    if (after === undefined)
      return this.#add('wider', pair, 'values-unlimited', `more than ${list(before)} is allowed`)
    for (const value of before)
      if (!after.has(value))
        this.#add('narrower', pair, 'value-removed', `the value ${value} was removed`)
    for (const value of after)
      if (!before.has(value))
        this.#add('wider', pair, 'value-added', `the value ${value} was added`)
  }

  #compareLimits({ limits: before }: Shape, { limits: after }: Shape, pair: VersionPair): void {
    for (const keyword of new Set([...before.keys(), ...after.keys()])) {
      const [old, current] = [before.get(keyword), after.get(keyword)]
      if (old === current) continue
      const isNarrower =
        current !== undefined &&
        (old === undefined || (isLowerLimit(keyword) ? current > old : current < old))
      this.#add(
        isNarrower ? 'narrower' : 'wider',
        pair,
        'limit-changed',
        `${keyword} ${old ?? '(none)'} became ${current ?? '(none)'}`,
      )
    }
  }

  #compareConditions(before: Shape, after: Shape, pair: VersionPair): void {
    for (const keyword of new Set([...before.conditions.keys(), ...after.conditions.keys()])) {
      const [old, current] = [before, after].map(({ conditions }) => conditions.get(keyword))
      const removed = [...(old ?? [])].some((value) => !current?.has(value))
      const added = [...(current ?? [])].some((value) => !old?.has(value))
      if (!removed && !added) continue
      const effect = removed && added ? 'other' : removed ? 'wider' : 'narrower'
      const what = { other: 'changed', wider: 'was removed', narrower: 'was added' }[effect]
      const value = isShort(current) ? `: ${list(current!)}` : ''
      this.#add(effect, pair, 'condition-changed', `${keyword} ${what}${value}`)
    }
  }

  #compareProperties(before: Shape, after: Shape, pair: VersionPair): void {
    const { place, direction } = pair
    for (const name of new Set([...before.properties.keys(), ...after.properties.keys()])) {
      const [old, current] = [before.properties.get(name), after.properties.get(name)]
      const below = { place: `${place}/${name}`, direction }
      if (old !== undefined && current !== undefined) {
        this.#compareParts(old, current, below.place, direction)
        this.#compareRequired(before, after, name, below)
      } else if (current !== undefined) {
        const isRequired = after.required.has(name) && !before.required.has(name)
        const level = isRequired ? levelOf('narrower', direction) : 'compatible'
        const what = isRequired ? 'a required property was added' : 'a property was added'
        this.#changes.add(level, 'property-added', below.place, what)
      } else
        this.#changes.add('breaking', 'property-removed', below.place, 'the property was removed')
    }
    for (const name of new Set([...before.required, ...after.required]))
      if (!before.properties.has(name) && !after.properties.has(name))
        this.#compareRequired(before, after, name, { place: `${place}/${name}`, direction })
    this.#compareParts(
      orAny(before.additionalProperties),
      orAny(after.additionalProperties),
      `${place}/* (other properties)`,
      direction,
    )
    const patterns = [...before.patternProperties.keys(), ...after.patternProperties.keys()]
    for (const pattern of new Set(patterns))
      this.#compareParts(
        before.patternProperties.get(pattern) ?? orAny(before.additionalProperties),
        after.patternProperties.get(pattern) ?? orAny(after.additionalProperties),
        `${place}/* (${pattern})`,
        direction,
      )
  }

  #compareRequired(before: Shape, after: Shape, name: string, pair: VersionPair): void {
    const [old, current] = [before.required.has(name), after.required.has(name)]
    if (old === current) return
    if (current) this.#add('narrower', pair, 'became-required', 'the property became required')
    else this.#add('wider', pair, 'became-optional', 'the property became optional')
  }

  #compareAnnotations(
    { annotations: before }: Shape,
    { annotations: after }: Shape,
    pair: VersionPair,
  ) {
    const changed = [...new Set([...before.keys(), ...after.keys()])].filter(
      (keyword) => before.get(keyword) !== after.get(keyword),
    )
    for (const keyword of changed) {
      const isMeaningful = ['default', 'deprecated', 'readOnly', 'writeOnly'].includes(keyword)
      const level = isMeaningful ? 'compatible' : 'documentation'
      const values = [before, after].map((values_) => values_.get(keyword)?.slice(1) ?? '(none)')
      const text = isMeaningful
        ? `${keyword} ${values[0]} became ${values[1]}`
        : `${keyword} changed`
      this.#changes.add(level, `${isMeaningful ? keyword : 'text'}-changed`, pair.place, text)
    }
  }

  #add(effect: Effect, { place, direction }: VersionPair, code: string, text: string): void {
    this.#changes.add(levelOf(effect, direction), code, place, text)
  }
}

interface VersionPair {
  place: string
  direction: Direction
}
interface Context extends VersionPair {
  older: Parts
  newer: Parts
}

const anything: Parts = [{ value: true, file: '' }]
const orAny = (parts: Parts): Parts => (parts.length === 0 ? anything : parts)

const list = (values: Iterable<string>) => [...values].join(' or ')
const isShort = (values: ReadonlySet<string> | undefined) =>
  values !== undefined && list(values).length <= 80

/** Returns the branch of the other version that has the same name, content, constants or type. */
function twinOf(branch: Parts, others: readonly Parts[]): Parts | undefined {
  const tests: ((parts: Parts) => string | undefined)[] = [
    nameOf,
    (parts) => canonical(parts.at(-1)!),
    constantsOf,
    (parts) => nameTypes(shapeOf(parts).types),
  ]
  for (const test of tests) {
    const own = test(branch)
    const twins = own === undefined ? [] : others.filter((other) => test(other) === own)
    if (twins.length === 1) return twins[0]
  }
  return undefined
}

/** Returns the constant properties of a branch, which distinguish it from other branches. */
function constantsOf(parts: Parts): string | undefined {
  const constants = [...shapeOf(parts).properties].flatMap(([name, schemas]) => {
    const { values } = shapeOf(schemas)
    return values?.size === 1 ? [`${name} ${list(values)}`] : []
  })
  return constants.length === 0 ? undefined : constants.sort().join()
}

/** Returns the name of a schema: of its reference, or its title. */
function nameOf(parts: Parts): string | undefined {
  const { value } = parts.at(-1)!
  if (!isObject(value)) return undefined
  if (typeof value.$ref === 'string') return value.$ref.split('/').at(-1)
  return typeof value.title === 'string' ? value.title : undefined
}

const nameBranch = (parts: Parts) => nameOf(parts) ?? nameTypes(shapeOf(parts).types)

/** Returns the name of a schema that both versions refer to, without other restrictions. */
function commonName(older: Parts, newer: Parts): string | undefined {
  const [name, other] = [older, newer].map((parts) => {
    const { value } = parts[0]!
    const isReference = parts.length === 1 && isObject(value) && typeof value.$ref === 'string'
    const hasOnlyAnnotations =
      isReference && Object.keys(value).every((key) => /^(\$ref|title|description|x-.*)$/.test(key))
    return hasOnlyAnnotations ? nameOf(parts) : undefined
  })
  return name === other ? name : undefined
}

const identities = new WeakMap<object, number>()
let count = 0

/** Returns a string that is the same for the same schemas, although a file is read again. */
function identityOf(parts: Parts): string {
  return parts
    .map((part) => {
      const { value } = isObject(part.value) && isPlainReference(part.value) ? follow(part) : part
      if (typeof value !== 'object' || value === null) return String(value)
      if (!identities.has(value)) identities.set(value, (count += 1))
      return String(identities.get(value))
    })
    .join('+')
}

const isPlainReference = (value: object) => Object.keys(value).join() === '$ref'

import {
  messages,
  type Field,
  type MessageName,
  type Violation,
} from '../../../../generated/auth/contract.ts'
import { contentTypes, headerRules } from '../../../../generated/auth/rules.ts'
import type { RequirementId } from '../../../../generated/requirements/index.ts'
import type { Expectation } from '../../../engine/index.ts'
import type { HttpExchange } from '../../../wire/index.ts'
import { hasValueAt, pathSegments } from '../../shared/paths.ts'
import { members } from './expectations.ts'
import { secretMembers } from './known-values.ts'

// Expectations derived from the schemas of the authentication endpoints. Each names a place in the
// body: a member, or the items of an array.

/** Caches violations by response and message, because several checks judge the same response. */
const violationsByResponse = new WeakMap<HttpExchange, Map<MessageName, readonly Violation[]>>()

function violationsIn(exchange: HttpExchange, message: MessageName): readonly Violation[] {
  const cached = violationsByResponse.get(exchange) ?? new Map<MessageName, readonly Violation[]>()
  violationsByResponse.set(exchange, cached)
  const violations = cached.get(message) ?? [
    ...messages[message].validate(exchange.json),
    ...missingRecommended(exchange, message),
  ]
  cached.set(message, violations)
  return violations
}

/** The recommended fields that are missing or null, which validators accept. */
const missingRecommended = (exchange: HttpExchange, message: MessageName): Violation[] =>
  messages[message].fields.flatMap(({ path, required, presence, expected }) => {
    const [name = ''] = pathSegments(path)
    return required || presence === undefined || (members(exchange)[name] ?? null) !== null
      ? []
      : [{ requirement: presence, path, message: expected, received: undefined }]
  })

/**
 * Converts the path of a violation to a path of the contract, which has * for the items of an
 * array.
 */
const placeOf = (path: string): string => path.replace(/\/\d+(?=\/|$)/g, '/*')

const labelOf = (path: string): string =>
  path.endsWith('/*') ? `items in ${path.slice(1, -2)}` : path.slice(1)

/**
 * Expects that a place in a body conforms to the schema. If there is a `requirement`, only its
 * violations count, because an absent place, a wrong type and a wrong value can violate different
 * requirements.
 */
function conformsAt(
  message: MessageName,
  { path, required, expected }: Field,
  requirement?: RequirementId,
): Expectation<HttpExchange> {
  const label = labelOf(path)
  const isBroken = (violation: Violation): boolean =>
    violation.path === ''
      ? required
      : placeOf(violation.path) === path &&
        (requirement === undefined || violation.requirement === requirement)
  const brokenIn = (exchange: HttpExchange) => violationsIn(exchange, message).find(isBroken)
  return {
    name: `has valid ${label}`,
    expected: `${label}: ${expected}`,
    test: (exchange) => brokenIn(exchange) === undefined,
    received: (exchange) => {
      const violation = brokenIn(exchange)
      if (violation === undefined || violation.path === '') return exchange.summary
      const { path: place, received } = violation
      if (received === undefined) return `${place.slice(1)} is missing`
      // Reports mask only strings, so the value of a secret member is replaced by its type.
      const value = label in secretMembers ? typeof received : JSON.stringify(received)
      return `${place.slice(1)} ${value.slice(0, 160)}`
    },
  }
}

/**
 * Returns one expectation for each place in a body that a requirement covers. If a body is not an
 * object, all its required places are missing.
 */
export const conformsTo = (
  message: MessageName,
  requirement: RequirementId,
): Expectation<HttpExchange>[] =>
  placesOf(message, requirement).map((field) => conformsAt(message, field, requirement))

/** Like `conformsTo`, but only for the places that have a value in the response. */
export const conformsIfPresent = (
  exchange: HttpExchange,
  message: MessageName,
  requirement: RequirementId,
): Expectation<HttpExchange>[] =>
  placesOf(message, requirement)
    .filter(({ path }) => hasValueAt(exchange.json, pathSegments(path)))
    .map((field) => conformsAt(message, field, requirement))

const placesOf = (message: MessageName, requirement: RequirementId): Field[] =>
  messages[message].fields.filter(
    ({ path, ...field }) =>
      path !== '' && [field.requirement, field.presence, field.value].includes(requirement),
  )

/** Expects that a member of a body is present and conforms to the schema. */
export function hasMember(message: MessageName, name: string): Expectation<HttpExchange> {
  const field = messages[message].fields.find(({ path }) => path === `/${name}`)
  if (field === undefined) throw new Error(`the schema of ${message} has no ${name}`)
  return conformsAt(message, field)
}

/** Expects a header with the form that a requirement states. */
export function hasHeader(requirement: keyof typeof headerRules): Expectation<HttpExchange> {
  const { header, expected, pattern } = headerRules[requirement]
  const form = new RegExp(pattern, 'u')
  return {
    name: `has valid ${header}`,
    expected,
    test: (exchange) => exchange.headersOf(header.toLowerCase()).some((value) => form.test(value)),
    received: (exchange) => {
      const values = exchange.headersOf(header.toLowerCase())
      return values.length === 0
        ? `no ${header}, in ${exchange.summary}`
        : `${header}: ${values.join(', ')}`
    },
  }
}

/** Expects the content type that a requirement states, with or without parameters. */
export function hasContentType(requirement: keyof typeof contentTypes): Expectation<HttpExchange> {
  const type = contentTypes[requirement]
  return {
    name: `is ${type}`,
    expected: `the content type ${type}`,
    test: (exchange) =>
      (exchange.header('content-type') ?? '').split(';', 1)[0]!.trim().toLowerCase() === type,
    received: (exchange) => exchange.header('content-type') ?? 'no content type',
  }
}

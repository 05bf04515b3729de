import { commonFields, definitionRules, partRules } from '../../generated/tools/rules.ts'
import type { RequirementId } from '../../generated/requirements/index.ts'

/** The names of the input fields that have the same meaning in every tool, such as `limit`. */
export type CommonName = keyof typeof commonFields

export const isCommon = (name: string): name is CommonName => Object.hasOwn(commonFields, name)

const requirementsOf = <Rule extends string>(rules: {
  readonly [rule in Rule]: { readonly requirement: RequirementId }
}): Record<Rule, RequirementId> =>
  Object.fromEntries(
    Object.entries<{ requirement: RequirementId }>(rules).map(([rule, { requirement }]) => [
      rule,
      requirement,
    ]),
  ) as Record<Rule, RequirementId>

/** The requirements of the rules for the server's name and for the input fields. */
const partRequirements = requirementsOf(partRules)

type SchemaRule = (typeof definitionRules)[keyof typeof definitionRules]['rule']

/** The requirement of each rule in the JSON Schema of tool definitions, by the rule's key. */
const schemaRules = Object.fromEntries(
  Object.values(definitionRules).map(({ rule, requirement }) => [rule, requirement]),
) as Record<SchemaRule, RequirementId>

/**
 * The requirement of each convention for tool definitions, by the key of the convention.
 *
 * @example
 * const id = ruleRequirements['limit-default'] // TOOL-LIMIT-01
 */
export const ruleRequirements = {
  ...schemaRules,
  ...partRequirements,
  // A JSON Schema cannot state these conventions: they concern several parts or tools, or input
  // schemas whose references must be resolved first.
  list: 'TOOL-SERVER-01',
  prefix: 'TOOL-NAME-02',
  service: 'TOOL-NAME-03',
  duplicate: 'TOOL-NAME-05',
  'description-content': 'TOOL-DESCRIPTION-02',
  contradiction: 'TOOL-HINT-06',
  'title-content': 'TOOL-HINT-11',
  'name-contradiction': 'TOOL-HINT-15',
  response_format: commonFields.response_format.requirement,
  'response_format-default': commonFields.response_format.requirement,
  limit: commonFields.limit.requirement,
  'limit-default': commonFields.limit.requirement,
  offset: commonFields.offset.requirement,
  'offset-default': commonFields.offset.requirement,
} as const satisfies Record<string, RequirementId>

/**
 * The key of a convention for definitions.
 *
 * @example
 * const ignored: readonly DefinitionRule[] = ['limit-default', 'prefix']
 */
export type DefinitionRule = keyof typeof ruleRequirements

/**
 * A part of a definition that breaks a convention, or that can mislead callers.
 *
 * @example
 * const isError = ({ severity }: DefinitionFinding) => severity === 'error'
 */
export interface DefinitionFinding {
  readonly rule: DefinitionRule
  /** The requirement of the catalogue to which the rule belongs. */
  readonly requirement: RequirementId
  /**
   * The name of the tool. Undefined if the tool has none, or if the finding is about the server or
   * all tools.
   */
  readonly tool?: string
  /**
   * A JSON path such as `$.tools[3].inputSchema.properties.limit.default`; `server name` for the
   * server's name.
   */
  readonly path: string
  /** `error`: the definition breaks a convention. `warning`: it can mislead callers. */
  readonly severity: 'error' | 'warning'
  /** What is wrong, as a sentence without its subject: "has no description". */
  readonly problem: string
  /** How to fix it, as an imperative: "add a description". */
  readonly fix: string
}

/** Reports a finding about the definition that is being judged. */
export type ReportFinding = (
  rule: DefinitionRule,
  path: string,
  problem: string,
  fix: string,
  severity?: DefinitionFinding['severity'],
) => void

/** Whether a value is a string that contains more than whitespace. */
export const isNotBlank = (value: unknown): value is string =>
  typeof value === 'string' && value.trim() !== ''

/** The JSON path of a member: `path` with `.limit`, `[3]` or `['a b']` appended. */
export function childPath(path: string, key: string | number): string {
  if (typeof key === 'number') return `${path}[${key}]`
  return /^[A-Za-z_$][\w$]*$/.test(key)
    ? `${path}.${key}`
    : `${path}['${key.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}']`
}

/** Formats a value as JSON, cut after 80 characters. */
export function preview(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > 80 ? `${text.slice(0, 80)}…` : text
}

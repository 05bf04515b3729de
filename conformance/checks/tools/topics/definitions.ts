import {
  describeFindings,
  requireServerName,
  requireFindings,
} from '../support/definition/findings-of-session.ts'
import type { RequirementId } from '../../../../generated/requirements/index.ts'
import { NotApplicable } from '../../../engine/index.ts'
import { check } from '../support/define.ts'
import { findingsOf, type DefinitionRule } from '../support/definition/index.ts'
import { readInput } from '../support/definition/input.ts'
import type { Session } from '../support/client-session.ts'

interface Defined {
  title: string
  /** The expectation: its name, and what is expected. */
  holds: readonly [name: string, expected: string]
  rules: readonly DefinitionRule[]
  /** Whether warnings count too. */
  warnings?: boolean
  /** What has to be there for the row to say anything. */
  applies?: (session: Session) => boolean
  /** What it builds on. */
  stands?: readonly RequirementId[]
}

/** A row that every definition has to keep: one check, which tells of every place that does not. */
const defined = (
  requirement: RequirementId,
  {
    title,
    holds: [name, expected],
    rules,
    warnings = false,
    applies = () => true,
    stands = [],
  }: Defined,
) =>
  check(requirement, {
    title,
    async run({ onEachTransport, expect, observe, requireMet: holds }) {
      await onEachTransport(async (session) => {
        const all = requireFindings(session).filter(({ rule }) => rules.includes(rule))
        if (!applies(session)) throw new NotApplicable('no tool has such a field')
        const broken = all.filter(({ severity }) => warnings || severity === 'error')
        for (const root of stands) await holds(root)
        expect(session.listPages[0]!, {
          name,
          expected,
          test: () => broken.length === 0,
          received: () => describeFindings(broken),
        })
        if (all.length > broken.length)
          observe(describeFindings(all.filter((finding) => !broken.includes(finding))))
      })
    },
  })

const named = (requirement: RequirementId, { title, holds: [name, expected], rules }: Defined) =>
  check(requirement, {
    title,
    async run({ onEachTransport, expect, observe }) {
      await onEachTransport(async (session) => {
        const given = requireServerName(session)
        const all = findingsOf([], given).filter(({ rule }) => rules.includes(rule))
        const broken = all.filter(({ severity }) => severity === 'error')
        expect(session.handshake, {
          name,
          expected,
          test: () => broken.length === 0,
          received: () => describeFindings(broken),
        })
        if (all.length > broken.length) observe(describeFindings(all))
      })
    },
  })

const fieldNames = ({ tools }: Session): Set<string> =>
  new Set(
    tools.flatMap(({ schema }) => readInput({ schema, path: '$' }).fields.map(({ name }) => name)),
  )
const hasFields = (session: Session): boolean => fieldNames(session).size > 0
const hasField =
  (name: string) =>
  (session: Session): boolean =>
    fieldNames(session).has(name)

/** What the list of tools tells of them, and the handshake of the server. */
export const definitions = [
  named('TOOL-SERVER-03', {
    title: 'is named by lowercase words that end in mcp',
    holds: ['has such a name', '<service>_mcp'],
    rules: ['server-name'],
  }),
  named('TOOL-SERVER-04', {
    title: 'has a name without version or date',
    holds: ['has such a name', 'words only'],
    rules: ['server-version'],
  }),

  defined('TOOL-NAME-01', {
    title: 'names tools by service, action and object',
    holds: ['tools have such names', '<service>_<action>_<object>, in snake_case'],
    rules: ['name'],
  }),
  defined('TOOL-NAME-02', {
    title: 'begins all tools with the name of its service',
    holds: ['names begin alike', 'one service in front of all names'],
    rules: ['prefix'],
  }),
  defined('TOOL-NAME-03', {
    title: 'is named by the service of its tools',
    holds: ['the service is one', 'the service that the server is named for'],
    rules: ['service'],
    stands: ['TOOL-SERVER-03', 'TOOL-SERVER-04'],
  }),
  defined('TOOL-NAME-05', {
    title: 'gives each tool a name of its own',
    holds: ['names are unique', 'each name once'],
    rules: ['duplicate'],
  }),
  defined('TOOL-DESCRIPTION-01', {
    title: 'describes each tool',
    holds: ['tools are described', 'a description with text'],
    rules: ['description'],
  }),

  defined('TOOL-INPUT-01', {
    title: 'gives each input field a type',
    holds: ['fields have types', 'a type of JSON Schema'],
    rules: ['field-type'],
    applies: hasFields,
  }),
  defined('TOOL-INPUT-02', {
    title: 'describes each input field',
    holds: ['fields are described', 'a description with text'],
    rules: ['field-description'],
    applies: hasFields,
  }),
  defined('TOOL-INPUT-03', {
    title: 'constrains each input field',
    holds: ['fields are constrained', 'a length, a range, a pattern or a list of values'],
    rules: ['field-constraint'],
    applies: hasFields,
  }),
  defined('TOOL-INPUT-06', {
    title: 'gives each tool an input schema',
    holds: ['inputs are objects', 'a JSON Schema of type object'],
    rules: ['input-schema'],
  }),

  defined('TOOL-HINT-01', {
    title: 'gives each tool a title',
    holds: ['tools have titles', 'annotations.title, with text'],
    rules: ['title'],
  }),
  ...(
    [
      ['02', 'readOnlyHint', 'reads only'],
      ['03', 'destructiveHint', 'destroys'],
      ['04', 'idempotentHint', 'is idempotent'],
      ['05', 'openWorldHint', 'reaches beyond the server'],
    ] as const
  ).map(([number, hint, words]) =>
    defined(`TOOL-HINT-${number}`, {
      title: `tells of each tool whether it ${words}`,
      holds: ['tools tell', `annotations.${hint}, true or false`],
      rules: [hint],
    }),
  ),
  defined('TOOL-HINT-06', {
    title: 'calls no tool destructive that only reads',
    holds: ['hints agree', 'not both readOnlyHint and destructiveHint'],
    rules: ['contradiction'],
    warnings: true,
  }),

  defined('TOOL-FORMAT-01', {
    title: 'defines response_format as markdown or json',
    holds: ['formats are defined', 'an enum of markdown and json, markdown by default'],
    rules: ['response_format', 'response_format-default'],
    applies: hasField('response_format'),
  }),
  defined('TOOL-LIMIT-01', {
    title: 'defines limit as 1 to 100, and 20 by default',
    holds: ['limits are defined', 'an integer from 1 to 100, 20 by default'],
    rules: ['limit', 'limit-default'],
    applies: hasField('limit'),
  }),
  defined('TOOL-OFFSET-01', {
    title: 'defines offset as at least 0, and 0 by default',
    holds: ['offsets are defined', 'an integer of at least 0, 0 by default'],
    rules: ['offset', 'offset-default'],
    applies: hasField('offset'),
  }),
]

import {
  describeFindings,
  requireServerName,
  requireFindings,
} from '../support/findings-of-session.ts'
import type { RequirementId } from '../../../../generated/requirements/index.ts'
import { Blocked, NotApplicable } from '../../../engine/index.ts'
import { check } from '../support/define.ts'
import { findingsOf } from '../../../definitions/index.ts'
import { readInput } from '../../../definitions/input.ts'
import type { Session } from '../support/client-session.ts'

interface DefinitionRequirement {
  title: string
  expectation: readonly [name: string, expected: string]
  /** Whether findings that are only warnings count as failures too. */
  warnings?: boolean
  /** Whether the requirement is about a field of `annotations` other than `title`. */
  ofAnnotations?: boolean
  /** Whether the requirement applies to the tools of a session. */
  applies?: (session: Session) => boolean
  /** The requirements that must be met first. */
  roots?: readonly RequirementId[]
}

/** Makes a check of all definitions. It reports each definition that breaks the requirement. */
const checkDefinitions = (
  requirement: RequirementId,
  {
    title,
    expectation: [name, expected],
    warnings = false,
    ofAnnotations = false,
    applies = () => true,
    roots = [],
  }: DefinitionRequirement,
) =>
  check(requirement, {
    title,
    async run({ onEachTransport, expect, observe, requireMet }) {
      await onEachTransport(async (session) => {
        const findings = requireFindings(session)
        const all = findings.filter((finding) => finding.requirement === requirement)
        if (all.length === 0 && !applies(session))
          throw new NotApplicable('no tool has a field or an annotation to examine')
        const broken = all.filter(({ severity }) => warnings || severity === 'error')
        // If a tool has no annotations at all, only one check fails, not also one for each hint.
        const unannotated = findings.find(({ rule }) => rule === 'annotations')
        if (ofAnnotations && unannotated !== undefined && broken.length === 0)
          throw new Blocked(unannotated.requirement, describeFindings([unannotated]))
        for (const root of roots) await requireMet(root)
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

/** Makes a check of the server's name. */
const checkServerName = (
  requirement: RequirementId,
  { title, expectation: [name, expected] }: DefinitionRequirement,
) =>
  check(requirement, {
    title,
    async run({ onEachTransport, expect, observe }) {
      await onEachTransport(async (session) => {
        const all = findingsOf([], requireServerName(session)).filter(
          (finding) => finding.requirement === requirement,
        )
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

export const definitionsChecks = [
  checkServerName('TOOL-SERVER-03', {
    title: 'has a server name in snake_case that ends with _mcp',
    expectation: ['has the form', 'a server name of the form <service>_mcp'],
  }),
  checkServerName('TOOL-SERVER-04', {
    title: 'has a server name without a version or date',
    expectation: ['has no version or date', 'a name of words only, without a version or date'],
  }),

  checkDefinitions('TOOL-NAME-01', {
    title: 'names tools <service>_<action>_<object>',
    expectation: [
      'names have the form',
      'tool names of the form <service>_<action>_<object>, in snake_case',
    ],
  }),
  checkDefinitions('TOOL-NAME-02', {
    title: 'begins all tool names with the name of the service',
    expectation: ['names share a service', 'the same service at the beginning of all tool names'],
  }),
  checkDefinitions('TOOL-NAME-03', {
    title: 'has a server name that begins with the service name of its tools',
    expectation: [
      'tools have the service of the server',
      'a server name that begins with the service name of the tools',
    ],
    roots: ['TOOL-SERVER-03', 'TOOL-SERVER-04'],
  }),
  checkDefinitions('TOOL-NAME-05', {
    title: 'gives each tool a unique name',
    expectation: ['names are unique', 'each tool name at most once'],
  }),
  checkDefinitions('TOOL-DESCRIPTION-01', {
    title: 'describes each tool',
    expectation: ['tools are described', 'a non-empty description of each tool'],
  }),
  checkDefinitions('TOOL-DESCRIPTION-02', {
    title: 'describes each tool in more words than its name',
    expectation: [
      'descriptions add to the name',
      'descriptions that do not only repeat the name, and that differ for different tools',
    ],
  }),

  checkDefinitions('TOOL-INPUT-01', {
    title: 'declares a type for each input field',
    expectation: ['fields have types', 'a JSON Schema type for each input field'],
    applies: hasFields,
  }),
  checkDefinitions('TOOL-INPUT-02', {
    title: 'describes each input field',
    expectation: ['fields are described', 'a non-empty description of each input field'],
    applies: hasFields,
  }),
  checkDefinitions('TOOL-INPUT-03', {
    title: 'constrains each input field',
    expectation: [
      'fields are constrained',
      'a length, a range, a pattern or a list of values for each input field',
    ],
    applies: hasFields,
  }),
  checkDefinitions('TOOL-INPUT-06', {
    title: 'declares an input schema for each tool',
    expectation: ['inputs are objects', 'an inputSchema of type object for each tool'],
  }),

  checkDefinitions('TOOL-HINT-01', {
    title: 'declares a title for each tool',
    expectation: ['tools have titles', 'a non-empty annotations.title in each tool'],
  }),
  ...(
    [
      ['02', 'readOnlyHint'],
      ['05', 'openWorldHint'],
    ] as const
  ).map(([number, hint]) =>
    checkDefinitions(`TOOL-HINT-${number}`, {
      title: `declares ${hint} for each tool`,
      expectation: ['tools have the hint', `annotations.${hint} of each tool, true or false`],
      ofAnnotations: true,
    }),
  ),
  ...(
    [
      ['03', 'destructiveHint'],
      ['04', 'idempotentHint'],
    ] as const
  ).map(([number, hint]) =>
    checkDefinitions(`TOOL-HINT-${number}`, {
      title: `declares ${hint} for each tool that is not read-only`,
      expectation: [
        'tools have the hint',
        `annotations.${hint} of each tool that is not read-only, true or false`,
      ],
      ofAnnotations: true,
      applies: ({ tools }) =>
        tools.some(
          ({ annotations }) => annotations['readOnlyHint'] !== true || hint in annotations,
        ),
    }),
  ),
  checkDefinitions('TOOL-HINT-06', {
    title: 'does not declare a read-only tool as destructive',
    expectation: ['hints agree', 'no tool whose readOnlyHint and destructiveHint are both true'],
    warnings: true,
  }),
  checkDefinitions('TOOL-HINT-15', {
    title: 'declares tools as changing or destructive if their names say so',
    expectation: [
      'hints agree with names',
      'no tool that is read-only or not destructive although its name says otherwise',
    ],
    warnings: true,
  }),
  checkDefinitions('TOOL-HINT-11', {
    title: 'titles tools for people, not with technical names',
    expectation: ['titles are for people', 'titles that are not technical names'],
    warnings: true,
    applies: ({ tools }) =>
      tools.some(({ annotations }) => typeof annotations['title'] === 'string'),
  }),

  checkDefinitions('TOOL-FORMAT-01', {
    title: 'defines response_format as markdown or json',
    expectation: [
      'formats are defined',
      'response_format as an enum of markdown and json, markdown by default',
    ],
    applies: hasField('response_format'),
  }),
  checkDefinitions('TOOL-LIMIT-01', {
    title: 'defines limit as 1 to 100, by default 20',
    expectation: ['limits are defined', 'limit as an integer from 1 to 100, 20 by default'],
    applies: hasField('limit'),
  }),
  checkDefinitions('TOOL-OFFSET-01', {
    title: 'defines offset as at least 0, by default 0',
    expectation: ['offsets are defined', 'offset as an integer of at least 0, 0 by default'],
    applies: hasField('offset'),
  }),
]

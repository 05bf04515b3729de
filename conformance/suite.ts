import { setMaxListeners } from 'node:events'
import {
  requirements,
  topics,
  type Profile,
  type Requirement,
  type RequirementId,
} from '../generated/requirements/index.ts'
import { absentWordsFor, verdictWithAbsent } from './absent.ts'
import { loadSubject, subjects, type AnySection } from './checks/index.ts'
import { noJournal } from './checks/shared/journal.ts'
import type { AnySubject } from './checks/shared/subject.ts'
import {
  coversId,
  newGate,
  newSeed,
  Random,
  reasonForNoResult,
  startRun,
  verdictWithin,
  processClock,
  type Check,
  type Clock,
  type Message,
  type OnMessage,
  type Verdict,
} from './engine/index.ts'
import type { JournalFile } from './journal-file.ts'
import { repeatIncomplete, type SubjectRun } from './subject-run.ts'
import { findSenders, type SenderGroup } from './senders.ts'
import { nearest, suggestIds } from './target-file/index.ts'
import { findMissingKeys, nameNeeds, secretsOf, type Target } from './target.ts'

/**
 * Which checks to run and report. Each key narrows the selection.
 *
 * @example
 * const selection: Selection = { only: ['IMG-UPLOAD', 'IMG-AUTH-01'], levels: ['must'] }
 */
export interface Selection {
  /** Requirement ids, keys of checks, or prefixes of ids: `IMG-UPLOAD`. */
  only?: string[]
  /**
   * Checks that are not reported, in the same form as `only`. They run only if a check depends on
   * their requirement.
   */
  skip?: string[]
  topics?: string[]
  contracts?: string[]
  levels?: string[]
  /** For tool servers: only what the protocol requires, or only what the contract adds. */
  profile?: Profile
  /**
   * Keys of checks that also send messages for the watching checks in `only`, without a report: the
   * checks whose messages failed in an earlier run. Ignores keys that no check has. With `all`, all
   * checks send, as in a run without `only`.
   */
  alsoSending?: readonly string[] | 'all'
}

/** A check that is going to run. */
export interface Planned {
  key: string
  requirement: RequirementId
  title: string
  contract: string
  topic: string
  level: string
  needs: readonly string[]
  /** The section of the target file that describes the target of this check. */
  section: Section
}

export type Section = AnySection['name']

/** The selection has no checks. The message is for the user. */
export class SelectionError extends Error {}

type AnyCheck = Check<never, Message>

/** The sections of targets, in the order of reports. */
export const allSections: readonly Section[] = subjects.map(({ section }) => section.name)

const order = new Map(Object.keys(requirements).map((id, index) => [id, index]))

const inOrder = (checks: readonly AnyCheck[]) =>
  checks.toSorted((one, other) => order.get(one.requirement)! - order.get(other.requirement)!)

/**
 * Returns the selected checks of the given sections, in the order of the catalogue. Rejects with
 * `SelectionError` if a word of the selection matches nothing.
 */
export async function plan(
  selection: Selection = {},
  sections: readonly Section[] = allSections,
): Promise<Planned[]> {
  return plannedOf(await chooseChecks(selection, sections))
}

/** A subject with its selected checks. */
interface Chosen {
  section: Section
  subject: AnySubject<unknown>
  checks: readonly AnyCheck[]
}

function plannedOf(found: readonly Chosen[]): Planned[] {
  const sectionOf = new Map(
    found.flatMap(({ section, checks }) => checks.map(({ key }) => [key, section])),
  )
  return inOrder(found.flatMap(({ checks }) => checks)).map(
    ({ key, requirement, title, needs, entry: { contract, topic, level } }) => ({
      key,
      requirement,
      title,
      contract,
      topic,
      level,
      needs,
      section: sectionOf.get(key)!,
    }),
  )
}

/** The sections of a target, in the order of reports. */
export function sectionsOf(target: Target): Section[] {
  return allSections.filter((section) => target[section] !== undefined)
}

/** Loads the subjects of the given sections that have selected checks. */
async function chooseChecks(selection: Selection, sections: readonly Section[]): Promise<Chosen[]> {
  const { only = [], skip = [], contracts = [], levels = [], profile } = selection
  const { topics: wantedTopics = [] } = selection
  const catalogued = topics.map(({ topic, contract }) => ({ topic, contract }))
  for (const word of wantedTopics)
    requireKnown(
      'topic',
      word,
      catalogued.map(({ topic }) => topic),
    )
  for (const word of contracts)
    requireKnown(
      'contract',
      word,
      catalogued.map(({ contract }) => contract),
    )
  for (const word of levels) requireKnown('level', word, ['must', 'should', 'may', 'open'])

  const within = (wanted: readonly string[], value: string) =>
    wanted.length === 0 || wanted.includes(value)
  const fits = (entry: Requirement) =>
    within(wantedTopics, entry.topic) &&
    within(contracts, entry.contract) &&
    within(levels, entry.level) &&
    (profile === undefined || entry.profile === profile)
  // The ids show which contracts the selection needs. The checks of other contracts are not loaded.
  const neededContracts = new Set<string>(
    Object.entries<Requirement>(requirements)
      .filter(
        ([id, entry]) =>
          fits(entry) &&
          (only.length === 0 || only.some((word) => matches(word.split(' ')[0]!, id))),
      )
      .map(([, { contract }]) => contract),
  )
  const loaded = await Promise.all(
    subjects
      .filter(
        (entry) =>
          sections.includes(entry.section.name) &&
          entry.contracts.some((contract) => neededContracts.has(contract)),
      )
      .map(async (entry) => ({ section: entry.section.name, subject: await loadSubject(entry) })),
  )
  const unmatched = [...only, ...skip].filter(
    (word) => !loaded.some(({ subject }) => subject.checks.some((check) => isNamed(word, check))),
  )
  if (unmatched.length > 0) {
    // A word without a match here may match a check of another section.
    const all = (await Promise.all(subjects.map(loadSubject))).flatMap(({ checks }) => checks)
    for (const word of unmatched) requireNamed(word, all)
  }
  return loaded.map(({ section, subject }) => ({
    section,
    subject,
    checks: subject.checks.filter(
      (check) =>
        fits(check.entry) &&
        (only.length === 0 || only.some((word) => isNamed(word, check))) &&
        !skip.some((word) => isNamed(word, check)),
    ),
  }))
}

/**
 * Whether a word of the selection matches an id or the first parts of one, ignoring case. `id` may
 * also be the key of a check, which must match exactly.
 */
function matches(word: string, id: string): boolean {
  return id === word || coversId(word.toUpperCase(), id)
}

/** Whether a word of the selection names a check: its requirement, or its key. */
const isNamed = (word: string, { key, requirement }: Pick<AnyCheck, 'key' | 'requirement'>) =>
  matches(word, requirement) || word === key

function requireKnown(what: string, word: string, candidates: readonly string[]): void {
  if (candidates.includes(word)) return
  const near = nearest(word, candidates)
  throw unknownName(what, word, near === undefined ? [] : [near])
}

/** Throws a `SelectionError` if a word of the selection names none of these checks. */
function requireNamed(word: string, checks: readonly AnyCheck[]): void {
  if (checks.some((check) => isNamed(word, check))) return
  const [first, ...more] = Object.values<Requirement>(requirements).filter(({ id }) =>
    matches(word, id),
  )
  if (first !== undefined) {
    const reason = first.unchecked === undefined ? '' : `: ${first.unchecked}`
    throw new SelectionError(
      more.length > 0
        ? `No check tests a requirement whose id begins with ${word}.`
        : `No check tests ${first.id}${reason}.`,
    )
  }
  const keys = checks.map(({ key }) => key)
  const near = word.includes(' ') ? nearest(word, keys) : undefined
  throw unknownName('requirement', word, near === undefined ? suggestIds(word) : [near])
}

function unknownName(what: string, word: string, suggestions: readonly string[]): SelectionError {
  const meant = suggestions.join(', ').replace(/, ([^,]*)$/, ' or $1')
  return new SelectionError(
    `There is no ${what} "${word}".${meant === '' ? '' : ` Did you mean ${meant}?`} npx touchstone test --list --bundled lists all.`,
  )
}

export interface SuiteOptions {
  selection?: Selection
  clock?: Clock
  signal?: AbortSignal
  /** Narrows the selection further. */
  selected?: (check: Pick<AnyCheck, 'key' | 'kind' | 'requirement' | 'door'>) => boolean
  /**
   * Which unselected checks run, without a report, so that the selected watching checks have
   * messages to examine. By default all, so that a verdict does not depend on the selection; but
   * with `selection.only`, only the checks that sent such messages to the references, to save
   * requests. If a selected check then has no message to examine, all checks run for it.
   */
  mayCauseMessages?: (key: string) => boolean
  /** Called with each message that was sent or received. */
  onMessage?: OnMessage<Message>
  /**
   * Called when a watching check has examined a message that does not meet it: its verdict, which
   * follows at the end of the run, will be a failure.
   */
  onFailing?: (verdict: Verdict) => void
  /** Called with the number of exchanges so far, whenever one begins. */
  onExchange?: (total: number) => void
  /** Whether the target ends with the run, so that nothing needs to be deleted there. */
  throwaway?: boolean
  /** The list of what the run creates, for `touchstone clean`; by default, none is kept. */
  journal?: JournalFile | undefined
  /** Whether the verdicts of passed checks also contain exchanges; by default they do not. */
  keepsAllExchanges?: boolean
}

/** A run of all subjects of a target file. */
export interface SuiteRun {
  planned: Planned[]
  verdict(key: string): Promise<Verdict>
  verdicts: Promise<Verdict[]>
  /**
   * Deletes what the run created at the target, and closes the servers of the suite. Returns
   * descriptions of what could not be deleted, lines of YAML that are suggested for the target
   * file, the versions of the protocol that a tool server and the suite agreed on, and the entries
   * of `suite.absent` without any effect on a whole run.
   */
  finish(): Promise<{
    left: string[]
    proposals: string[]
    protocolVersions: string[]
    unusedAbsent: string[]
  }>
}

/**
 * Starts to check a target. Ignores the checks of subjects that have no section in the target file.
 * Rejects with `SelectionError` if no checks remain.
 */
export async function startSuite(
  target: Target,
  {
    selection = {},
    clock = processClock,
    signal = new AbortController().signal,
    selected = () => true,
    mayCauseMessages,
    onMessage,
    onFailing,
    onExchange,
    throwaway = false,
    journal,
    keepsAllExchanges = false,
  }: SuiteOptions = {},
): Promise<SuiteRun> {
  // Each exchange in progress listens for the cancellation of the run. Without this, Node would
  // warn about the number of listeners.
  setMaxListeners(0, signal)
  const found = await chooseChecks(selection, sectionsOf(target))
  const wanted = new Set(
    found.flatMap(({ checks }) => checks.filter(selected).map(({ key }) => key)),
  )
  const { skip = [] } = selection
  const { concurrency, pace, timeout, rateLimitWait, seed = newSeed() } = target.suite
  let count = 0
  const nextNumber = () => {
    count += 1
    onExchange?.(count)
    return count
  }
  const startSubject = (
    { section, subject }: Chosen,
    selectedKeys: ReadonlySet<string>,
    isSender: (key: string) => boolean,
  ): SubjectRun => {
    const gate = newGate({ concurrency, pace, clock })
    const opened = subject.open(target[section], {
      suite: target.suite,
      gate,
      clock,
      timeout,
      rateLimitWait,
      random: new Random(`${seed} ${section}`),
      secrets: secretsOf(target),
      throwaway,
      journal: journal?.of(section) ?? noJournal,
      nextNumber,
      signal,
    })
    const run = startRun<never, Message>({
      checks: inOrder(subject.checks),
      selected: ({ key }) => selectedKeys.has(key),
      mayCauseMessages: (check) =>
        isSender(check.key) && !skip.some((word) => isNamed(word, check)),
      missing: ({ needs }) => findMissingKeys(target, needs),
      nameNeeds,
      inapplicable: ({ forms }) => subject.inapplicable?.(target[section], forms),
      openWorld: (context) => opened.world(context),
      cleanUp: (world) => opened.cleanUp(world),
      gate,
      clock,
      seed,
      signal,
      keepsAllExchanges,
      ...(onMessage === undefined ? {} : { onMessage }),
      ...(onFailing === undefined
        ? {}
        : { onFailing: (verdict: Verdict) => onFailing(asCounted(verdict)) }),
    })
    let closed: ReturnType<SubjectRun['close']> | undefined
    return {
      ...run,
      close: () =>
        (closed ??= opened.close(throwaway).then((left) => ({
          left,
          proposals: opened.proposals?.() ?? [],
          protocolVersions: opened.protocolVersions?.() ?? [],
        }))),
    }
  }
  const { profile } = selection
  const { absent = {} } = target.suite
  const usedAbsent = new Set<string>()
  const asCounted = (verdict: Verdict) => {
    const within = profile === undefined ? verdict : verdictWithin(profile, verdict)
    for (const word of absentWordsFor(Object.keys(absent), within)) usedAbsent.add(word)
    return verdictWithAbsent(absent, within)
  }
  const isSender = mayCauseMessages ?? (() => true)
  const { only, alsoSending = [] } = selection
  // Other selections, such as a contract or a level, are often all that a project runs, in CI. They
  // must find the same as a whole run also if a server sends such a message to an unlisted check.
  const groups =
    only === undefined || alsoSending === 'all' || mayCauseMessages !== undefined
      ? []
      : await loadSenderGroups()
  const parts = found.map((chosen) => {
    const { checks } = chosen.subject
    const watching = checks.filter(({ key, kind }) => kind === 'watch' && wanted.has(key))
    const listed = findSenders(watching, checks, groups)
    if (watching.length === 0 || listed === undefined) return startSubject(chosen, wanted, isSender)
    const senders = new Set([...listed, ...alsoSending])
    const roots = new Map(watching.map(({ key, root }) => [key, root]))
    // Without a message, the references prove nothing about this target: another check may cause
    // one. A violation of the root would also block the check in a whole run.
    const isIncomplete = ({ key, verdict, reasonCode, blockedBy }: Verdict) =>
      roots.has(key) &&
      !signal.aborted &&
      (reasonCode === 'no-message' || (verdict === 'blocked' && blockedBy !== roots.get(key)))
    return repeatIncomplete(
      startSubject(chosen, wanted, (key) => senders.has(key)),
      isIncomplete,
      (keys) => startSubject(chosen, keys, isSender),
    )
  })
  if (parts.every(({ keys }) => keys.length === 0))
    throw new SelectionError(
      'Nothing to test: no selected check belongs to a section of the target. Select other checks, or add their section to the target.',
    )
  const isWhole =
    isUnlimited(selection) && wanted.size === found.flatMap(({ checks }) => checks).length
  const verdicts = Promise.all(parts.map((part) => part.verdicts)).then((lists) =>
    lists.flat().map(asCounted),
  )
  const runs = new Map(parts.flatMap((part) => part.keys.map((key) => [key, part])))
  return {
    planned: plannedOf(found).filter(({ key }) => runs.has(key)),
    verdict: async (key) => asCounted(await runs.get(key)!.verdict(key)),
    verdicts,
    finish: async () => {
      // A run without a result, or of a part of the checks, says nothing about an entry.
      const isConclusive =
        isWhole && !signal.aborted && reasonForNoResult(await verdicts) === undefined
      await Promise.all(parts.map(({ end }) => end))
      const ends = await Promise.all(parts.map((part) => part.close()))
      journal?.close()
      return {
        left: ends.flatMap(({ left }) => left),
        proposals: ends.flatMap(({ proposals }) => proposals),
        protocolVersions: ends.flatMap(({ protocolVersions }) => protocolVersions),
        unusedAbsent: isConclusive
          ? Object.keys(absent).filter((word) => !usedAbsent.has(word))
          : [],
      }
    },
  }
}

/** Whether a selection contains all checks. */
const isUnlimited = ({ only, skip, topics, contracts, levels, profile }: Selection): boolean =>
  profile === undefined &&
  [only, skip, topics, contracts, levels].every((words = []) => words.length === 0)

/** Loads the list of senders, which is long. */
const loadSenderGroups = async (): Promise<readonly SenderGroup[]> =>
  (await import('./recorded-senders.ts')).senderGroups

/**
 * Returns a function that names what to select together with a failed check, so that the failure
 * occurs again: if none of the checks that caused the failure runs for the selected check, the
 * requirement of one of them.
 */
export async function loadRepeatedSenders(
  sections: readonly Section[],
): Promise<(verdict: Pick<Verdict, 'key' | 'sentBy'>) => RequirementId[]> {
  const found = await chooseChecks({}, sections)
  const groups = await loadSenderGroups()
  return ({ key, sentBy = [] }) => {
    const checks = found
      .map(({ subject }) => subject.checks)
      .find((list) => list.some((check) => check.key === key))
    const watching = checks?.filter((check) => check.key === key && check.kind === 'watch') ?? []
    if (checks === undefined || watching.length === 0) return []
    const listed = findSenders(watching, checks, groups)
    if (listed === undefined || sentBy.some((sender) => listed.has(sender))) return []
    return checks.filter((check) => check.key === sentBy[0]).map(({ requirement }) => requirement)
  }
}

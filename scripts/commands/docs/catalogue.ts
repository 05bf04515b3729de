import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parse } from 'yaml'
import type { RecordedFaults, RequirementFaults } from '../../../conformance/recorded-faults.ts'
import { allSections, plan, type Planned } from '../../../conformance/suite.ts'
import {
  contracts as allContracts,
  requirements,
  topics,
  type Contract,
  type Requirement,
} from '../../../generated/requirements/index.ts'
import { packageRoot } from '../../package.ts'

/** A contract with everything that its page contains about requirements. */
export interface ContractCatalogue {
  contract: Contract
  title: string
  /** The file name of the document that contains the contract. */
  document: string
  topics: { topic: string; title: string; requirements: DocumentedRequirement[] }[]
}

/** A requirement. Its sentences have backticks around identifiers. */
export interface DocumentedRequirement extends Requirement {
  checks: readonly Planned[]
  faults: RequirementFaults
}

/** The sentences of a catalogue that have backticks. */
type Sentences = Pick<
  Requirement,
  'id' | 'statement' | 'because' | 'standard' | 'conflict' | 'unchecked' | 'choices' | 'unvaried'
>

/** Reads the catalogues of contracts, with the checks and the faults of each requirement. */
export async function readContracts(
  wanted: readonly Contract[],
): Promise<readonly ContractCatalogue[]> {
  const [planned, faults] = await Promise.all([
    plan({ contracts: [...wanted] }, allSections),
    readJson<RecordedFaults>('conformance/recorded-faults.json'),
  ])
  return Promise.all(
    allContracts
      .filter(({ contract }) => wanted.includes(contract))
      .map(async ({ contract, title, document }) => {
        const sentences = await readSentences(contract)
        const all = Object.values<Requirement>(requirements)
        return {
          contract,
          title,
          document,
          topics: topics
            .filter((one) => one.contract === contract)
            .map(({ topic, title }) => ({
              topic,
              title,
              requirements: all
                .filter((one) => one.contract === contract && one.topic === topic)
                .map((one) => ({
                  ...one,
                  ...sentences.get(one.id),
                  checks: planned.filter(({ requirement }) => requirement === one.id),
                  faults: faults[one.id] ?? { written: {}, generated: [] },
                })),
            })),
        }
      }),
  )
}

/** Reads the sentences of a contract from its source. The generated module has no backticks. */
async function readSentences(contract: Contract): Promise<ReadonlyMap<string, Sentences>> {
  const file = join(packageRoot(), `specs/requirements/${contract}.yaml`)
  const source = parse(await readFile(file, 'utf8')) as { topics: { requirements: Sentences[] }[] }
  return new Map(
    source.topics
      .flatMap((topic) => topic.requirements)
      .map(({ id, statement, because, standard, conflict, unchecked, choices, unvaried }) => [
        id,
        {
          id,
          statement,
          ...(because === undefined ? {} : { because }),
          ...(standard === undefined ? {} : { standard }),
          ...(conflict === undefined ? {} : { conflict }),
          ...(unchecked === undefined ? {} : { unchecked }),
          ...(choices === undefined ? {} : { choices }),
          ...(unvaried === undefined ? {} : { unvaried }),
        },
      ]),
  )
}

/** Reads a JSON file of the package. */
export async function readJson<T>(path: string): Promise<T> {
  return JSON.parse(await readFile(join(packageRoot(), path), 'utf8')) as T
}

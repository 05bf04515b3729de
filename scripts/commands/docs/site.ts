import type { Contract } from '../../../generated/requirements/index.ts'
import { version } from '../../package.ts'
import { readContracts } from './catalogue.ts'
import { contractPage } from './contract-page.ts'
import { descriptions } from './contracts.ts'
import { indexPage } from './index-page.ts'
import { fileOf, indexFile, newLinks } from './links.ts'

/** Returns the pages of these contracts, by file name. The same contracts give the same pages. */
export async function sitePages(
  contracts: readonly Contract[],
): Promise<ReadonlyMap<string, string>> {
  const links = newLinks(contracts)
  const documented = await Promise.all(
    (await readContracts(contracts)).map(async (catalogue) => ({
      catalogue,
      parts: await descriptions[catalogue.contract].parts(links),
    })),
  )
  return new Map([
    [indexFile, indexPage(documented, version(), links)],
    ...documented.map(
      ({ catalogue, parts }) =>
        [fileOf(catalogue.contract), contractPage(catalogue, parts, links)] as const,
    ),
  ])
}

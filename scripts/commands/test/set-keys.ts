import { flagOf } from '../../../conformance/target-file/index.ts'
import { UsageError } from '../../print-error.ts'
import { flagsOfAddress } from './address.ts'
import { flagsOf, type TestOptions } from './options.ts'

/**
 * Returns the keys of the target that the command line sets. Throws a `UsageError` if both the
 * address and an option set a key.
 */
export async function setKeys(
  given: object,
  options: Pick<
    TestOptions,
    'address' | 'account' | 'project' | 'wait' | 'waitsForServers' | 'concurrency' | 'expected'
  >,
): Promise<ReturnType<typeof flagsOf>> {
  const flags = flagsOf(given, options)
  const { address, account, project, wait, waitsForServers } = options
  const ofAddress = await flagsOfAddress(address, {
    account,
    isAccountSet: flags['images.account'] !== undefined,
    project,
    wait,
    waitsForServers,
  })
  const twice = Object.keys(ofAddress).find((path) => flags[path] !== undefined)
  if (twice !== undefined)
    throw new UsageError(`${flagOf(twice)} and ${address} exclude each other.`)
  return { ...flags, ...ofAddress }
}

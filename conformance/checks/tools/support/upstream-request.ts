import { NotCovered } from '../../../engine/index.ts'
import type { FakeUpstream, UpstreamRequest } from '../../../wire/index.ts'
import type { ToolsNeed } from '../target.ts'

/**
 * Returns the last upstream request that `work` causes, because earlier ones possibly only obtain
 * authorization. Ends the check as not covered if there is no request.
 */
export async function observeLastRequest(
  { requests }: FakeUpstream,
  work: () => Promise<unknown>,
): Promise<UpstreamRequest> {
  const before = requests.at(-1)
  await work()
  const last = requests.at(-1)
  if (last === undefined || last === before)
    throw new NotCovered<ToolsNeed>('the configured tool sends no request to the upstream', [
      'tools.get',
    ])
  return last
}

/** Returns the upstream requests that `work` causes, and its result. */
export async function observeRequests<Result>(
  { requests }: Pick<FakeUpstream, 'requests'>,
  work: () => Promise<Result>,
): Promise<{ result: Result; requests: readonly UpstreamRequest[] }> {
  const before = requests.at(-1)
  const result = await work()
  return {
    result,
    requests: requests.slice(before === undefined ? 0 : requests.lastIndexOf(before) + 1),
  }
}

import { NotCovered } from '../../../engine/index.ts'
import type { FakeUpstream, UpstreamRequest } from '../../../wire/index.ts'
import type { ToolsNeed } from '../target.ts'

/** The last upstream request of a call: earlier requests may be for its authorization. */
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

import type { Preflight } from '../shared/subject.ts'
import { findFailedStart } from './support/failed-start.ts'
import { findMissingProgram } from './support/missing-program.ts'
import { tryStreamableHttp, trySse } from './support/wrong-paths.ts'
import { findWrongToolNames } from './support/wrong-tool-names.ts'
import type { ToolsTarget } from './target.ts'

export const preflight: Preflight<ToolsTarget> = {
  addresses: ({ http, sse }) => ({ 'tools.http': http, 'tools.sse': sse }),
  async findMistake(target, client) {
    const { http, sse, stdio, auth } = target
    const program = stdio !== undefined && 'command' in stdio ? stdio : undefined
    return (
      (http === undefined ? undefined : await tryStreamableHttp(http, client, auth)) ??
      (sse === undefined ? undefined : await trySse(sse, client, auth)) ??
      (program === undefined ? undefined : await findMissingProgram(program)) ??
      (program === undefined ? undefined : await findFailedStart(program)) ??
      (await findWrongToolNames(target))
    )
  },
}

import type { RequirementId } from '../../../../generated/requirements/index.ts'

/** For each transport, the requirement that the transport works at all. */
export const transportRequirements = {
  http: 'TOOL-HTTP-01',
  sse: 'TOOL-SSE-01',
  stdio: 'TOOL-STDIO-01',
} as const satisfies Record<string, RequirementId>

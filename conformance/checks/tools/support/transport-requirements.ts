import type { RequirementId } from '../../../../generated/requirements/index.ts'

/** A row of each transport: that a server serves on it. */
export const transportRequirements = {
  http: 'TOOL-HTTP-01',
  sse: 'TOOL-SSE-01',
  stdio: 'TOOL-STDIO-01',
} as const satisfies Record<string, RequirementId>

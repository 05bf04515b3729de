/**
 * For each requirement, the faults that its checks find. The package contains this list
 * (recorded-faults.json), but not the proof: `touchstone docs` prints it.
 */
export type RecordedFaults = Record<string, RequirementFaults>

export interface RequirementFaults {
  /** The descriptions of the faults that are written by hand, by name. */
  written: Record<string, string>
  /** The names of the faults that are generated from the contract. */
  generated: string[]
}

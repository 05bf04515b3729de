/** A measured value, compared with a baseline. */
export interface Measurement {
  /** What was measured. */
  what: string
  ours: number
  against: number
  unit: 'ms' | 'µs' | 'MB'
  /** Describes `against`. */
  baseline: string
  /** `ours` divided by `against`. */
  ratio: number
  /** The largest acceptable ratio. */
  atMost: number
}

/** Returns the median. For an even number of values, this is the upper of the two middle values. */
export function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[values.length >> 1] ?? Number.NaN
}

/**
 * Compares two series, whose values were measured alternately in pairs. Slow phases of the machine
 * affect both values of a pair, so the ratio is the median of the ratios of all pairs.
 */
export function comparePairs(
  row: Pick<Measurement, 'what' | 'unit' | 'baseline' | 'atMost'>,
  ours: readonly number[],
  against: readonly number[],
): Measurement {
  return {
    ...row,
    ours: median(ours),
    against: median(against),
    ratio: median(ours.map((value, index) => value / against[index]!)),
  }
}

/** Formats measurements as a table. */
export function table(rows: readonly Measurement[]): string {
  const cells = rows.map(({ what, ours, against, unit, baseline, ratio, atMost }) => [
    what,
    shown(ours, unit),
    shown(against, unit),
    baseline,
    ratio.toFixed(2),
    `≤ ${atMost}`,
    ratio <= atMost ? '' : 'OVER',
  ])
  const all = [['what', 'ours', 'against', 'baseline', 'ratio', 'limit', ''], ...cells]
  const widths = all[0]!.map((_, column) => Math.max(...all.map((row) => row[column]!.length)))
  return all
    .map((row) =>
      row
        .map((cell, column) =>
          column === 1 || column === 2 || column === 4
            ? cell.padStart(widths[column]!)
            : cell.padEnd(widths[column]!),
        )
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

function shown(value: number, unit: string): string {
  return `${value < 100 ? value.toFixed(1) : Math.round(value)} ${unit}`
}

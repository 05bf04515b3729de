/** One measured ratio. */
export interface Row {
  /** What was measured. */
  what: string
  /** The figure of ours, and the one that it is held against, in this unit. */
  ours: number
  against: number
  unit: 'ms' | 'µs' | 'MB'
  /** What the second figure is. */
  baseline: string
  /** Ours by the baseline. */
  ratio: number
  /** The largest ratio that is good enough. */
  atMost: number
}

/** The middle one; of an even number the upper of the two. */
export function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[values.length >> 1] ?? Number.NaN
}

/** Two figures that were measured in turn, pair by pair: the ratio is the median of the pairs' ratios, so that a slow minute slows both. */
export function paired(
  row: Pick<Row, 'what' | 'unit' | 'baseline' | 'atMost'>,
  ours: readonly number[],
  against: readonly number[],
): Row {
  return {
    ...row,
    ours: median(ours),
    against: median(against),
    ratio: median(ours.map((value, index) => value / against[index]!)),
  }
}

/** The rows for people. */
export function table(rows: readonly Row[]): string {
  const cells = rows.map(({ what, ours, against, unit, baseline, ratio, atMost }) => [
    what,
    shown(ours, unit),
    shown(against, unit),
    baseline,
    ratio.toFixed(2),
    `≤ ${atMost}`,
    ratio <= atMost ? '' : 'OVER',
  ])
  const all = [['what', 'ours', 'against', 'which is', 'ratio', 'wanted', ''], ...cells]
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

import type { ToolsFactor } from './variation.ts'

/** Whether the target file declares a clock that the suite can set. */
export const clock: readonly ToolsFactor[] = [
  {
    requirement: 'none',
    name: 'clock',
    values: [
      { name: 'can be set', description: 'Has a clock that can be set.' },
      {
        name: 'cannot be set',
        notCombined: true,
        description: 'Has a clock that cannot be set.',
        choices: { clock: false },
      },
    ],
  },
]

import type { ToolsFactor } from './variation.ts'

/** Whether a target file tells of the clock by which the server waits. */
export const clock: readonly ToolsFactor[] = [
  {
    requirement: 'form',
    name: 'clock',
    levels: [
      { name: 'can be set', description: 'Lets its clock be set ahead.' },
      {
        name: 'runs by itself',
        notCombined: true,
        description: 'Has a clock that nobody sets.',
        choices: { clock: false },
      },
    ],
  },
]

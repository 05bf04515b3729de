import type { ToolsFactor } from './variation.ts'

/** Whether a target file tells of the clock by which the server waits. */
export const clock: readonly ToolsFactor[] = [
  {
    row: 'form',
    factor: 'clock',
    levels: [
      { name: 'can be set', says: 'Lets its clock be set ahead.' },
      {
        name: 'runs by itself',
        alone: true,
        says: 'Has a clock that nobody sets.',
        choices: { clock: false },
      },
    ],
  },
]

import type { Fault } from './fault.ts'
import { refuse, rewritten, standing } from './building-manage.ts'

const config = ['updateConfig'] as const

const refusing = (value: boolean): Fault =>
  standing(
    `flexible-variants-cannot-be-${value}`,
    `Refuses to switch flexible variants ${value ? 'on' : 'off'}.`,
    ['IMG-CONFIG-01'],
    config,
    (hit) => (call, next) => {
      rewritten(call, (body) => {
        if (body['flexible_variants'] !== value) return body
        hit()
        return refuse('flexible_variants cannot be changed to this')
      })
      return next()
    },
  )

export const configuration: readonly Fault[] = [
  refusing(true),
  refusing(false),
  standing(
    'flexible-variants-take-any-text',
    'Takes any text as flexible_variants true.',
    ['IMG-CONFIG-02'],
    config,
    (hit) => (call, next) => {
      rewritten(call, (body) => {
        if (typeof body['flexible_variants'] !== 'string') return body
        hit()
        return { ...body, flexible_variants: true }
      })
      return next()
    },
  ),
]

import type { ImagesFault } from './fault.ts'
import { changeJson, fault, onRequest, refuse } from './building.ts'

const config = ['updateConfig'] as const

const refuseValue = (value: boolean): ImagesFault =>
  fault(
    `flexible-variants-cannot-be-${value}`,
    `Refuses to turn flexible variants ${value ? 'on' : 'off'}.`,
    ['IMG-CONFIG-01'],
    onRequest((call, next, hit) => {
      changeJson(call, (body) => {
        if (body['flexible_variants'] !== value) return body
        hit()
        return refuse('flexible_variants cannot be changed to this')
      })
      return next()
    }, config),
  )

export const configuration: readonly ImagesFault[] = [
  refuseValue(true),
  refuseValue(false),
  fault(
    'flexible-variants-accept-any-string',
    'Accepts any string as flexible_variants, and treats it as true.',
    ['IMG-CONFIG-02'],
    onRequest((call, next, hit) => {
      changeJson(call, (body) => {
        if (typeof body['flexible_variants'] !== 'string') return body
        hit()
        return { ...body, flexible_variants: true }
      })
      return next()
    }, config),
  ),
  fault(
    'flexible-variants-accept-numbers',
    'Accepts a number as flexible_variants, and treats 0 as false and other numbers as true.',
    ['IMG-CONFIG-02'],
    onRequest((call, next, hit) => {
      changeJson(call, (body) => {
        const flag = body['flexible_variants']
        if (typeof flag !== 'number') return body
        hit()
        return { ...body, flexible_variants: flag !== 0 }
      })
      return next()
    }, config),
  ),
]

import { isObject } from '../../../../mocks/stateful/http/body.ts'
import { defaultRules } from '../../../../mocks/stateful/tools/rules.ts'
import { replaceRules, type MakeToolsDeviation } from './building.ts'

// Building blocks for faults in the arguments of calls.

export type Arguments = Record<string, unknown>

/**
 * Replaces the arguments of a tool, or of every tool if `tool` is `any`, before they are validated.
 * If `change` returns undefined, the arguments are not changed.
 */
export const changeArguments = (
  tool: string,
  change: (args: Arguments) => Arguments | undefined,
): MakeToolsDeviation =>
  replaceRules((_rules, hit) => ({
    validate(one, args, choices) {
      const changed =
        isObject(args) && (tool === 'any' || one.name === `shelf_${tool}`)
          ? change({ ...args })
          : undefined
      if (changed !== undefined) hit()
      return defaultRules.validate(one, changed ?? args, choices)
    },
  }))

/** Refuses the arguments of a tool for which `isRefused` returns true. */
export const refuseArguments = (
  tool: string,
  isRefused: (args: Arguments) => boolean,
): MakeToolsDeviation =>
  replaceRules((_rules, hit) => ({
    validate(one, args, choices) {
      if (one.name !== `shelf_${tool}` || !isObject(args) || !isRefused(args))
        return defaultRules.validate(one, args, choices)
      hit()
      return { problems: ['this server does not accept it'] }
    },
  }))

/** Replaces the value of one argument if `isWrong` returns true for it. */
export const replaceArgument = (
  tool: string,
  field: string,
  isWrong: (value: unknown) => boolean,
  replacement: (value: unknown) => unknown,
): MakeToolsDeviation =>
  changeArguments(tool, (args) =>
    isWrong(args[field]) ? { ...args, [field]: replacement(args[field]) } : undefined,
  )

export const isString = (value: unknown): value is string => typeof value === 'string'
export const isAbsent = (value: unknown): boolean => value === undefined

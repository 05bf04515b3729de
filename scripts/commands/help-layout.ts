import { Help, Option } from 'commander'

/** Spaces before each item of a list, and before a description on its own lines. */
const indent = 2
const descriptionIndent = 6

/** Spaces between the columns of terms and of descriptions. */
const gap = 2

/**
 * Formats an item of a help text. If the column of terms leaves too little space for descriptions,
 * each description is on the lines below its term. commander itself would not wrap it then.
 *
 * @example
 *   new Command('mock').configureHelp({ formatItem })
 */
export function formatItem(
  this: Help,
  term: string,
  termWidth: number,
  description: string,
  helper: Help,
): string {
  const width = helper.helpWidth ?? 80
  if (description === '' || width - termWidth - gap - indent >= this.minWidthToWrap)
    return Help.prototype.formatItem.call(this, term, termWidth, description, helper)
  const lines = helper.boxWrap(description, width - descriptionIndent).split('\n')
  return [
    ' '.repeat(indent) + term,
    ...lines.map((line) => ' '.repeat(descriptionIndent) + line),
  ].join('\n')
}

/** Describes an option, with its default as the user would enter it: commander quotes strings. */
export function optionDescription(this: Help, option: Option): string {
  const { defaultValue, defaultValueDescription, description, flags } = option
  const shown =
    typeof defaultValue === 'string' && defaultValueDescription === undefined
      ? Object.assign(new Option(flags, description).default(defaultValue, defaultValue), {
          argChoices: option.argChoices,
          envVar: option.envVar,
        })
      : option
  return Help.prototype.optionDescription.call(this, shown)
}

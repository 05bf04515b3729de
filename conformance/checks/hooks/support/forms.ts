import { Blocked, NotApplicable, NotCovered } from '../../../engine/index.ts'
import { allFlags, noFlags } from './event-flags.ts'
import type { CreatedHook } from './hook.ts'
import type { Fields } from './requests.ts'
import type { CreationOptions, HooksWorld } from './world.ts'

// A service may accept forms, JSON or both. If it accepts JSON, the run sends JSON, so only these
// hooks show how the service reads forms.

/**
 * Creates a hook from a form. The check is not applicable if the service accepts no such form, or
 * if the whole run sends forms.
 */
export async function createFromForm(
  world: HooksWorld,
  fields: Fields,
  options: CreationOptions = {},
): Promise<CreatedHook> {
  if (world.request.format.isForm)
    throw new NotApplicable('the service accepts only forms, so the other checks send forms')
  return world.createHook(fields, { ...options, asForm: true }).catch((error: unknown) => {
    throw error instanceof Blocked
      ? new NotApplicable('the service does not create a hook from such a form')
      : error
  })
}

/** Hooks that were created from forms before the first event in the project. */
export interface HooksOfForms {
  /** All flags are true. */
  all: CreatedHook
  /** All flags are false. */
  none: CreatedHook
  /** The form contained only the url. */
  minimal: CreatedHook
}

/** The hooks of the run that were created from forms; undefined if the service refuses them. */
export const sharedHooksOfForms = (world: HooksWorld): Promise<HooksOfForms | undefined> =>
  world.shared('hooks of forms', async (common) => {
    const create = (fields: Fields) =>
      createFromForm(common, { ...fields, token: `${common.newName()}-Form` })
    try {
      return {
        all: await create(allFlags),
        none: await create(noFlags),
        minimal: await createFromForm(common, {}),
      }
    } catch (error) {
      if (error instanceof NotApplicable || error instanceof NotCovered) return undefined
      throw error
    }
  })

import type { PageButton, PageForm } from './page-form.ts'
import type { HtmlPage, PageLink } from './page.ts'
import { isNamed, isSignIn, meaningOf, meaningOfLink, type Decision } from './button-meaning.ts'

/** What a user can do on a page: press a button of a form (or the enter key), or follow a link. */
export type Choice = { form: PageForm; button?: PageButton } | { link: PageLink }

/**
 * Finds the control that leads towards a decision: the one that the target file names, or one whose
 * label expresses the decision. If there is none, returns the reason.
 */
export function chooseControl(
  page: HtmlPage,
  decision: Decision,
  named: string | undefined,
): Choice | string {
  if (named !== undefined) {
    const found = findByName(page, named)
    if (found !== undefined) return found
  }
  const buttons = page.forms.flatMap((form) =>
    form.buttons.map((button) => ({ form, button, meaning: meaningOf(button) })),
  )
  const findButton = (meaning: string) => buttons.find((one) => one.meaning === meaning)
  if (decision === 'deny') {
    // If the target file names the control that denies, no other control counts: "Cancel" on a
    // sign-in page, for example, possibly only leads to another page.
    if (named !== undefined)
      return chooseSignInOnly(page, `none of its buttons and links is "${named}"`)
    const link = page.links.find((one) => meaningOfLink(one) === 'deny')
    return findButton('deny') ?? (link === undefined ? chooseSignInOnly(page) : { link })
  }
  const found =
    findButton('approve') ?? findSignIn(page) ?? findButton('go on') ?? findOnlyButton(page)
  if (found !== undefined) return found
  if (page.forms.length > 0) return 'none of its buttons approves'
  for (const wanted of ['approve', 'go on']) {
    const link = page.links.find((one) => meaningOfLink(one) === wanted)
    if (link !== undefined) return { link }
  }
  return `it has no form${page.hasScripts ? ' unless scripts run' : ''}`
}

function findByName({ forms, links }: HtmlPage, wanted: string): Choice | undefined {
  for (const form of forms)
    for (const button of form.buttons) if (isNamed(button, wanted)) return { form, button }
  const link = links.find(({ text }) => isNamed({ text, name: '', value: '' }, wanted))
  return link === undefined ? undefined : { link }
}

/**
 * If a page only asks the user to sign in, returns its sign-in control, because the user cannot
 * deny there yet. Otherwise returns a reason.
 */
function chooseSignInOnly(
  page: HtmlPage,
  reason = 'none of its buttons and links denies',
): Choice | string {
  const decides = page.forms.some(({ buttons }) =>
    buttons.some((button) => meaningOf(button) === 'approve'),
  )
  if (!decides) {
    const found = findSignIn(page)
    if (found !== undefined) return found
  }
  return page.forms.length === 0
    ? `it has no form${page.hasScripts ? ' unless scripts run' : ''}`
    : reason
}

/**
 * Finds the sign-in form and its button. Prefers a form with a password: other forms may lead to
 * other sign-in pages.
 */
function findSignIn({ forms }: HtmlPage): Choice | undefined {
  const asksForPassword = ({ fields }: PageForm) => fields.some(({ type }) => type === 'password')
  for (const form of [
    ...forms.filter(asksForPassword),
    ...forms.filter((one) => !asksForPassword(one)),
  ]) {
    const asked = asksForPassword(form)
    const button =
      form.buttons.find(isSignIn) ??
      (asked
        ? form.buttons.find((one) => !['deny', 'approve'].includes(meaningOf(one) ?? ''))
        : undefined)
    if (button !== undefined) return { form, button }
    if (asked && form.buttons.length === 0) return { form }
  }
  return undefined
}

/**
 * If a page has exactly one form, returns its only button that does not deny. A form without
 * buttons is submitted without a button.
 */
function findOnlyButton({ forms }: HtmlPage): Choice | undefined {
  const [form, ...others] = forms
  if (form === undefined || others.length > 0) return undefined
  const buttons = form.buttons.filter((button) => meaningOf(button) !== 'deny')
  return buttons.length === 1
    ? { form, button: buttons[0]! }
    : form.buttons.length === 0
      ? { form }
      : undefined
}

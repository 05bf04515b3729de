import type { FormMethod, PageButton, PageField, PageForm } from './page-form.ts'
import {
  attribute,
  hasAttribute,
  isElement,
  visibleText,
  textIn,
  type Element,
  type Node,
} from './tree.ts'

type Resolve = (address: string | undefined) => string | undefined

/** A control with its form. */
interface Owned {
  control: Element
  form: Element | undefined
}

const controls = new Set(['input', 'button', 'select', 'textarea'])
/**
 * HTML does not allow a form in these elements. The parser then leaves the form empty, and the
 * controls that follow belong to the form.
 */
const tableElements = new Set(['table', 'tbody', 'thead', 'tfoot', 'tr'])

/**
 * Reads the forms of a page with their controls: those inside the form, and those whose `form`
 * attribute contains its id.
 */
export function formsOf(nodes: readonly Node[], resolve: Resolve, url: string): PageForm[] {
  const forms: Element[] = []
  const owned: Owned[] = []
  collect(nodes, undefined, forms, owned)
  return forms.map((form): PageForm => {
    const id = attribute(form, 'id')
    const own = owned
      .filter((one) =>
        hasAttribute(one.control, 'form')
          ? id !== undefined && attribute(one.control, 'form') === id
          : one.form === form,
      )
      .map(({ control }) => control)
    return {
      // An empty action means the URL of the page, even if the page has another base URL.
      action:
        (attribute(form, 'action') ?? '').trim() === ''
          ? url
          : (resolve(attribute(form, 'action')) ?? url),
      method: methodOf(attribute(form, 'method')) ?? 'GET',
      enctype: enctypeOf(attribute(form, 'enctype')),
      fields: own.flatMap(fieldsOf),
      buttons: own.flatMap((control) => buttonOf(control, resolve)),
    }
  })
}

function collect(
  nodes: readonly Node[],
  form: Element | undefined,
  forms: Element[],
  owned: Owned[],
): void {
  let around = form
  for (const node of nodes) {
    if (!isElement(node) || node.tagName === 'template') continue
    if (controls.has(node.tagName) && !hasAttribute(node, 'disabled'))
      owned.push({ control: node, form: around })
    if (node.tagName === 'fieldset' && hasAttribute(node, 'disabled')) continue
    if (node.tagName === 'form') {
      forms.push(node)
      collect(node.childNodes, node, forms, owned)
      const parent = node.parentNode
      if (
        parent !== null &&
        'tagName' in parent &&
        tableElements.has(parent.tagName) &&
        node.childNodes.length === 0
      )
        around = node
    } else {
      collect(node.childNodes, around, forms, owned)
    }
  }
}

/** The fields of a control that is not a button. */
function fieldsOf(control: Element): PageField[] {
  const name = attribute(control, 'name') ?? ''
  const type =
    control.tagName === 'input'
      ? (attribute(control, 'type') ?? 'text').trim().toLowerCase()
      : control.tagName
  if (name === '' || /^(submit|image|button|reset)$/.test(type)) return []
  if (type === 'select') return choicesOf(control).map((choice) => ({ name, type, ...choice }))
  if (type === 'checkbox' || type === 'radio')
    return [
      {
        name,
        type,
        value: attribute(control, 'value') ?? 'on',
        isSent: hasAttribute(control, 'checked'),
      },
    ]
  return [
    {
      name,
      type,
      value: type === 'textarea' ? rawText(control) : (attribute(control, 'value') ?? ''),
      isSent: true,
    },
  ]
}

function choicesOf(list: Element): { value: string; isSent: boolean }[] {
  const options = optionsIn(list.childNodes)
  const values = options.map((option) => attribute(option, 'value') ?? textIn(option))
  const chosen = values.filter((_, index) => hasAttribute(options[index]!, 'selected'))
  if (hasAttribute(list, 'multiple'))
    return chosen.length === 0
      ? [{ value: values[0] ?? '', isSent: false }]
      : chosen.map((value) => ({ value, isSent: true }))
  const value =
    chosen.at(-1) ?? values.find((_, index) => !hasAttribute(options[index]!, 'disabled'))
  return [{ value: value ?? '', isSent: value !== undefined }]
}

function optionsIn(nodes: readonly Node[]): Element[] {
  return nodes
    .filter(isElement)
    .flatMap((node) => (node.tagName === 'option' ? [node] : optionsIn(node.childNodes)))
}

/**
 * The text of a textarea. The parser has removed a leading line break, which is not part of the
 * value.
 */
function rawText(area: Element): string {
  return area.childNodes.map((child) => ('value' in child ? child.value : '')).join('')
}

function buttonOf(control: Element, resolve: Resolve): PageButton[] {
  const type = (attribute(control, 'type') ?? '').trim().toLowerCase()
  const sends =
    control.tagName === 'button'
      ? type !== 'button' && type !== 'reset'
      : control.tagName === 'input' && (type === 'submit' || type === 'image')
  if (!sends) return []
  const label = attribute(control, 'aria-label') ?? attribute(control, 'title') ?? ''
  const seen =
    control.tagName === 'button'
      ? visibleText(control)
      : type === 'image'
        ? (attribute(control, 'alt') ?? '')
        : (attribute(control, 'value') ?? 'Submit')
  return [
    {
      name: attribute(control, 'name') ?? '',
      value: attribute(control, 'value') ?? '',
      text: seen.trim() === '' ? label : seen.trim(),
      isImage: type === 'image',
      action: resolve(attribute(control, 'formaction')),
      method: methodOf(attribute(control, 'formmethod')),
    },
  ]
}

function methodOf(written: string | undefined): FormMethod | undefined {
  return written === undefined
    ? undefined
    : written.trim().toLowerCase() === 'post'
      ? 'POST'
      : 'GET'
}

function enctypeOf(written = ''): string {
  const type = written.trim().toLowerCase()
  return type === 'multipart/form-data' || type === 'text/plain'
    ? type
    : 'application/x-www-form-urlencoded'
}

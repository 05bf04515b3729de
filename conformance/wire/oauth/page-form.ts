/** Something on a form that has a name and a value, and is not disabled. */
export interface PageField {
  name: string
  /** In lower case, as in HTML: `hidden`, `text`, `password`, `checkbox`, …; `select` and `textarea` for these. */
  type: string
  /** What is sent where nobody touches it. Of a list from which several may be chosen each chosen one is a field. */
  value: string
  /** Whether it is sent where nobody touches it: all fields but check boxes, radio buttons and lists of which nothing is chosen. */
  isSent: boolean
}

/** A button that sends its form. */
export interface PageButton {
  name: string
  value: string
  /** What a person reads on it. */
  text: string
  /** Whether it is an image, of which the place of the click is sent. */
  isImage: boolean
  /** Where it sends the form, where that is not the form's own address. */
  action: string | undefined
  method: FormMethod | undefined
}

export type FormMethod = 'GET' | 'POST'

/** A form of a page. */
export interface PageForm {
  /** The absolute URL that it is sent to. */
  action: string
  method: FormMethod
  /** How a POST is written: application/x-www-form-urlencoded, multipart/form-data or text/plain. */
  enctype: string
  fields: readonly PageField[]
  buttons: readonly PageButton[]
}

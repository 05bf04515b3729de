/** A control of a form that has a name and a value, and is not disabled. */
export interface PageField {
  name: string
  /**
   * The type in lower case: `hidden`, `text`, `password`, `checkbox`, …; `select` and `textarea`
   * for these elements.
   */
  type: string
  /** The initial value. A list with several selected options has one field for each. */
  value: string
  /**
   * Whether it is sent if the user changes nothing: false for unchecked check boxes and radio
   * buttons, and for lists in which nothing is selected.
   */
  isSent: boolean
}

/** A button that submits its form. */
export interface PageButton {
  name: string
  value: string
  /** Its label. */
  text: string
  /** Whether it is an image, which sends the coordinates of the click. */
  isImage: boolean
  /** The URL that it submits the form to, if that is not the form's own. */
  action: string | undefined
  method: FormMethod | undefined
}

export type FormMethod = 'GET' | 'POST'

/** A form of a page. */
export interface PageForm {
  /** The absolute URL that it is submitted to. */
  action: string
  method: FormMethod
  /**
   * The content type of a POST: application/x-www-form-urlencoded, multipart/form-data or
   * text/plain.
   */
  enctype: string
  fields: readonly PageField[]
  buttons: readonly PageButton[]
}

/** A control of a form. It has a name and a value, and is not disabled. */
export interface PageField {
  name: string
  /**
   * The type in lower case: `hidden`, `text`, `password`, `checkbox`, …; `select` and `textarea`
   * for these elements.
   */
  type: string
  /**
   * The initial value. A list with several selected options has one field for each of these
   * options.
   */
  value: string
  /**
   * Whether the field is sent if the user changes nothing. False for unchecked check boxes and
   * radio buttons, and for lists without a selection.
   */
  isSent: boolean
}

/** A button that submits its form. */
export interface PageButton {
  name: string
  value: string
  /** The button's label. */
  text: string
  /** Whether the button is an image. Then the coordinates of the click are sent with the form. */
  isImage: boolean
  /** The URL to which the button submits the form; undefined for the action of the form. */
  action: string | undefined
  method: FormMethod | undefined
}

export type FormMethod = 'GET' | 'POST'

/** A form of a page. */
export interface PageForm {
  /** The absolute URL to which the form is submitted. */
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

/** Exchanges the case of ASCII letters. */
export const swapCase = (text: string): string =>
  text.replace(/[A-Za-z]/g, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  )

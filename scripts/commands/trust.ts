/** What to do about a certificate for HTTPS. Node.js reads the variable when it starts. */
const advice = 'set NODE_EXTRA_CA_CERTS to a PEM file with the certificate to trust'

/**
 * Returns what to do if a message of Node.js says that a certificate is not trusted. Returns
 * undefined for other messages: a certificate that has expired, for example, stays invalid.
 */
export const trustAdvice = (message: string): string | undefined =>
  /self-signed certificate|unable to (verify|get)\b.*certificate/i.test(message)
    ? advice
    : undefined

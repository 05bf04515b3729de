/** How long a server that is just starting may take to listen, in milliseconds. */
export const defaultWait = 1000

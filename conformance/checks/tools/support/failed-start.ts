import { processClock } from '../../../engine/index.ts'
import { McpClient } from '../../../wire/mcp.ts'
import { startProcess } from '../../../wire/mcp/process.ts'
import { waitAtMost } from '../../../wire/wait.ts'
import type { ToolsTarget } from '../target.ts'

type Stdio = Extract<NonNullable<ToolsTarget['stdio']>, { readonly command: string }>

/** How long a program may take to fail before it is left to the checks, in milliseconds. */
const startTimeout = 3000

/**
 * Starts the program, and sends `initialize`. Explains a program that ends with an error instead of
 * writing a message. One that writes anything, or ends with the code 0, is judged by the checks.
 */
export async function findFailedStart(stdio: Stdio): Promise<string | undefined> {
  // The fake upstream does not run yet.
  if (JSON.stringify(stdio).includes('{upstream}')) return undefined
  const client = McpClient.open({ access: { stdio }, timeout: startTimeout })
  try {
    const { failure, why, receivedBytes } = await (await client.connect('stdio')).initialize()
    const hasFailed = failure === 'closed' && /\((exit code [1-9]|signal )/.test(why ?? '')
    return hasFailed && receivedBytes === 0 && (await endsWithoutInput(stdio))
      ? `${stdio.command}: ${why}. Check tools.stdio.command and tools.stdio.args.`
      : undefined
  } finally {
    await client.close()
  }
}

/** Whether the program also ends if it receives nothing, so that the message is not the reason. */
async function endsWithoutInput(stdio: Stdio): Promise<boolean> {
  const pipes = startProcess(stdio)
  pipes.input.on('error', () => {})
  const end = await waitAtMost(processClock, startTimeout, pipes.closed)
  await pipes.close(true)
  return end !== undefined
}

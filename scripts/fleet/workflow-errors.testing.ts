import { readFileSync } from 'node:fs'
import { NoOperationTraceWriter, parseWorkflow } from '@actions/workflow-parser'

// A program, run with tsx: reads a workflow from standard input, and prints its errors as JSON. The
// parser imports JSON without an import attribute, which Node 20 and vitest do not accept.
const content = readFileSync(0, 'utf8')
const { context } = parseWorkflow({ name: 'workflow.yml', content }, new NoOperationTraceWriter())
process.stdout.write(JSON.stringify(context.errors.getErrors().map(({ message }) => message)))

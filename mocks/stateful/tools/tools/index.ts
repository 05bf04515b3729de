import type { RunnableTool } from '../call.ts'
import { readRules, showStatus } from './about.ts'
import { getBook, searchBooks } from './books.ts'
import { createLoan, deleteLoan } from './loans.ts'
import { listReaders, updateReader } from './readers.ts'
import { recommendBook } from './recommend.ts'
import { reportInventory } from './report.ts'

/** All tools of the library. */
export const tools: readonly RunnableTool[] = [
  searchBooks,
  listReaders,
  getBook,
  createLoan,
  updateReader,
  deleteLoan,
  reportInventory,
  recommendBook,
  readRules,
  showStatus,
]

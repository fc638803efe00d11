/** What is opened for a benchmark is closed after it, the last first, even where it throws or is interrupted. */
import type { TestScope } from '../../../test/support/database.ts'

const SIGNALS = ['SIGINT', 'SIGTERM'] as const

export async function closing<T>(work: (scope: TestScope) => Promise<T>): Promise<T> {
  const ends: (() => Promise<void>)[] = []
  const close = async (): Promise<void> => {
    for (const end of ends.splice(0).reverse()) await end()
  }
  // Databases and stand-ins are processes of their own, and would outlive an interrupted run.
  const leave = (): void => void close().finally(() => process.exit(1))
  for (const signal of SIGNALS) process.once(signal, leave)
  try {
    return await work({ after: (end) => void ends.push(end) })
  } finally {
    for (const signal of SIGNALS) process.off(signal, leave)
    await close()
  }
}

/** Runs a benchmark's smoke run with its table kept out of the tests' output. */
export async function printedBy<T>(work: () => Promise<T>): Promise<{ result: T; text: string }> {
  const { log } = console
  const lines: string[] = []
  console.log = (...said: unknown[]) => void lines.push(said.join(' '))
  try {
    const result = await work()
    return { result, text: lines.join('\n') }
  } finally {
    console.log = log
  }
}

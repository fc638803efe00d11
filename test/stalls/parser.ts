/** A parser that meets outside text: how it is called, its longest text, and what may upset it. */
export type Parser = {
  name: string
  /** Most characters of a text that reaches it. */
  charsMax: number
  /** Reads at once, or returns steps, between which other work has turns. */
  read(text: string): unknown
  /** Texts before and after the repeated part; the empty text is always tried too. */
  heads: readonly string[]
  tails: readonly string[]
  /** Repeated parts; two of them are also tried alternating. `%n` in one is the number of the repetition. */
  pumps: readonly string[]
}

/** Characters that some readers take apart or put together. */
export const MARKS = ['\u0301', '\u0316\u0301', '\ud800', 'é', '\u200b', '💬']

/**
 * Yields inputs of a parser, each by a rule: `make(n)` is about n characters long. `isThorough` combines every two
 * parts.
 */
export function* shapesOf(
  { heads, tails, pumps }: Parser,
  isThorough: boolean,
): Iterable<{ name: string; make(chars: number): string }> {
  const parts = isThorough
    ? pumps.flatMap((one) => pumps.map((other) => (one === other ? one : one + other)))
    : pumps
  for (const head of isThorough ? ['', ...heads] : [heads[0] ?? '']) {
    for (const tail of isThorough ? ['', ...tails] : ['', tails[0] ?? '']) {
      for (const pump of parts) {
        const name = JSON.stringify([head.slice(-20), pump.slice(0, 30), tail])
        yield {
          name,
          make: (chars) => {
            const times = Math.floor((chars - head.length - tail.length) / pump.length)
            return head + repeated(pump, Math.max(1, times)) + tail
          },
        }
      }
    }
  }
}

function repeated(pump: string, times: number): string {
  if (!pump.includes('%n')) return pump.repeat(times)
  return Array.from({ length: times }, (_, at) => pump.replaceAll('%n', String(at))).join('')
}

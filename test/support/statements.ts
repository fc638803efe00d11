/** The statements that this process sends, by their words: `pg` asks all of them through one method. */
import pg from 'pg'

type Asked = string | { name?: string; text?: string }
type Client = { query: (...given: unknown[]) => unknown }

export type StatementLog = {
  /** What was sent so far: the names and texts, in order. */
  sent: string[]
  countOf(words: string): number
  stop(): void
}

/** Keeps what is sent from now on until it is told to stop. Pools of `another` service in this process are heard, too. */
export function recordStatements(): StatementLog {
  const sent: string[] = []
  const prototype = pg.Client.prototype as unknown as Client
  const { query } = prototype
  prototype.query = function recording(this: unknown, ...given) {
    const [first] = given as [Asked]
    sent.push(typeof first === 'string' ? first : `${first.name ?? ''} ${first.text ?? ''}`)
    return query.apply(this, given)
  }
  return {
    sent,
    countOf: (words) => sent.filter((one) => one.includes(words)).length,
    stop: () => void (prototype.query = query),
  }
}

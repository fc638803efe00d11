/** The statements that this process sends, found by their words: `pg` sends all of them through one method. */
import pg from 'pg'

type Asked = string | { name?: string; text?: string }
type Client = { query: (...given: unknown[]) => unknown }

export type StatementLog = {
  /** Names and texts sent so far, in order. */
  sent: string[]
  countOf(words: string): number
  stop(): void
}

/** Records statements until it is stopped. Pools of `another` service in this process are recorded, too. */
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

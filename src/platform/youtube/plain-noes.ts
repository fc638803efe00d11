/** Plain noes: whether "not available", said of one video after another, is still to be believed of the next. */
import type { ClientPool } from './client-pool.ts'

/** So many videos in a row without another answer: then it may be us, or our apps, who are refused. */
const IN_A_ROW_MAX = 3

const inARow = new WeakMap<ClientPool, Set<string>>()

/** Whether two clients are too few to call the next video gone. */
export function areNoesDoubtful(clients: ClientPool): boolean {
  return (inARow.get(clients)?.size ?? 0) >= IN_A_ROW_MAX
}

/** The same video again adds nothing: what one account asks for repeatedly says nothing about others. */
export function notePlainNo(clients: ClientPool, videoId: string): void {
  const noted = inARow.get(clients) ?? new Set()
  if (noted.size < IN_A_ROW_MAX) inARow.set(clients, noted.add(videoId))
}

/** A video had captions, or was refused for a cause: what is said of others is said of them. */
export function noteOtherAnswer(clients: ClientPool): void {
  inARow.delete(clients)
}

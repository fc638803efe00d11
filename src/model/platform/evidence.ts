/**
 * Evidence: what has to be seen on an egress route before it rests, and for whom.
 *
 * Some answers are a block whatever was asked for (429, the "automated queries" page): they rest the route at once. All
 * others may be the video's own: the platform answers oddly about some videos to everybody, and a customer chooses what
 * is asked for. Such an answer is a *suspicion*. A route rests for everybody only when suspicions are of two videos,
 * and of two accounts, unless the platform served both videos on another way out or to another visitor; else it rests
 * for the account that met them. Every delivery on the route makes earlier suspicions void.
 */

/** An answer that may be a block, or the video's own. */
export type Suspicion = {
  /** The video or list that was asked for. */
  subject: string
  accountId: string
  /** True where it was a check for robots, and another route or visitor was given the same video. */
  isContradicted: boolean
}

export type RestScope = 'everybody' | 'account' | 'nobody'

/** Number of videos that have to be suspicious before the route rests for anybody. */
export const SUBJECTS_MIN = 2
/** Number of accounts that have to meet suspicions before the route rests for everybody. */
export const ACCOUNTS_MIN = 2
/** Age in milliseconds from which a suspicion no longer counts. */
export const EVIDENCE_LIFE_MS = 3_600_000

/**
 * Returns for whom the route rests. `suspected` are the suspicions in force on it, the newest included, which is of
 * `accountId`.
 */
export function restScope(suspected: readonly Suspicion[], accountId: string): RestScope {
  const accounts = new Set(suspected.map((each) => each.accountId))
  const contradicted = suspected.filter((each) => each.isContradicted)
  const isOfSeveral = accounts.size >= ACCOUNTS_MIN || subjectsIn(contradicted) >= SUBJECTS_MIN
  if (subjectsIn(suspected) >= SUBJECTS_MIN && isOfSeveral) return 'everybody'
  const own = suspected.filter((each) => each.accountId === accountId)
  return subjectsIn(own) >= SUBJECTS_MIN ? 'account' : 'nobody'
}

function subjectsIn(suspected: readonly Suspicion[]): number {
  return new Set(suspected.map(({ subject }) => subject)).size
}

/**
 * Witnesses: videos that were delivered lately. "Not available" and "no captions" are also what the platform's apps say
 * of every video while it turns them or a route away (2023-04, 2025-08), and so is another video in each one's place.
 * Such an answer is about a video only where a witness that is asked for afterwards, on the same route, is still shown.
 */
import { reportObstacle } from './blame.ts'
import { requestMaskedPlayer } from './calls.ts'
import type { ClientProfile } from './clients.ts'
import { type NamedObstacle, obstacle } from './obstacle.ts'
import type { ProvenVideo } from './recent-answers.ts'
import type { Session } from './session.ts'

/**
 * What a witness says: `shown` where an app lists captions of it, `unknown` where no video was delivered lately, or
 * the obstacle that stands between us and every video.
 */
export type Testimony = 'shown' | 'unknown' | NamedObstacle

/** How many apps are asked for a witness until one of them shows it. */
const APPS_ASKED_MAX = 3

type Asking = {
  /** The apps that may be asked, one after another. */
  clients: readonly ClientProfile[]
  /** The videos that are no witnesses, since they are in question. */
  not: readonly string[]
}

/**
 * Returns what a witness says that is asked for later than `sinceMs` (by the context's clock). Visits on a route that
 * need one at the same time share it.
 */
export async function witnessSince(
  session: Session,
  sinceMs: number,
  asking: Asking,
): Promise<Testimony> {
  const { context, lease, signal } = session
  if ((await findWitness(session, asking.not)) === null) return 'unknown'
  if (lease.isPrivate) return askWitnesses(session, asking)
  const name = `${lease.route.name} ${lease.epoch}`
  for (;;) {
    const { value } = await context.witnesses.join(name, signal, async () => {
      const askedAtMs = context.clock()
      return { askedAtMs, testimony: await askWitnesses(session, asking) }
    })
    if (value.askedAtMs >= sinceMs) return value.testimony
  }
}

/**
 * Asks for witnesses as one app after another, for another witness each time where there are several: one may have been
 * deleted meanwhile. What is met counts for or against the route, whatever account had the witness delivered.
 */
export async function askWitnesses(session: Session, { clients, not }: Asking): Promise<Testimony> {
  const called: ProvenVideo[] = []
  let testimony: Testimony = 'unknown'
  for (const client of clients.slice(0, APPS_ASKED_MAX)) {
    const others = [...not, ...called.map(({ videoId }) => videoId)]
    const witness = (await findWitness(session, others)) ?? called[0]
    if (witness === undefined) return testimony
    called.push(witness)
    const answer = await requestMaskedPlayer(session, witness.videoId, client)
    if (answer.kind === 'tracks') return 'shown'
    testimony = answer.kind === 'obstructed' ? answer.obstacle : obstacle('denies_all')
    if (answer.kind !== 'obstructed') continue
    const asked = { accountId: witness.accountId, subject: witness.videoId }
    await reportObstacle(session.lease, answer.obstacle, asked)
  }
  return testimony
}

/** Finds a witness outside of `not` that this process had delivered, or another one; null where there is none. */
async function findWitness(
  { context: { recent, share, findDelivered } }: Session,
  not: readonly string[],
): Promise<ProvenVideo | null> {
  const asked = { not, accountId: share.accountId }
  return recent.provenVideo(asked) ?? findDelivered(asked)
}

/** A visit to one video on one route: what is known of it so far, and its date, which is asked for beside the words. */
import type { Refusal } from '../../model/platform/refusal.ts'
import type { FetchedVideo, VideoFacts, VideoInput } from '../platform.ts'
import { reportObstacle } from './blame.ts'
import { requestPublishedAt } from './calls.ts'
import type { ClientProfile } from './clients.ts'
import { noteDate } from './note-visits.ts'
import { isUnmistakable, type NamedObstacle } from './obstacle.ts'
import type { Session } from './session.ts'
import { type ClientAnswer, isCause, type JudgedRefusal } from './verdict.ts'

/** A question of a video; where no words are wanted, the track that would be taken is `offered` instead. */
export type VideoQuestion = VideoInput & { wantsWords: boolean }

/** Outcome of a video on one route. */
export type VideoOutcome = FetchedVideo | { kind: 'offered' } | JudgedRefusal

/** Facts and causes of a video from all routes on which it was asked for. */
export type VideoKnown = {
  facts: VideoFacts
  /** The answers that named a cause, which second the same cause on another route. */
  causes: ClientAnswer[]
}

export type VideoVisit = {
  session: Session
  ask: VideoQuestion
  known: VideoKnown
  /** Each captions client's answer, in the order of asking. */
  answers: ClientAnswer[]
  /** Answers of the client for age gates. */
  atGate: ClientAnswer[]
  /** When so many clients had denied the video as an absence takes, by the context's clock; null before. */
  deniedAtMs: number | null
  /** The client that listed captions which were taken or could have been. */
  deliverer: string | null
  /** The client that listed no tracks when it was asked with a mask. */
  maskedSilent: ClientProfile | null
  /** The first refusal of captions clients for want of a language, and its app; null before. */
  missed: { app: string; refusal: Refusal } | null
  /** The date call once it has begun; it runs beside the words. */
  date: Promise<void> | null
}

/**
 * Returns the answers, and the causes that were named elsewhere: at the age gate, and on other routes if here, too.
 * They bear out no app that failed lately: another route may be in another region.
 */
export function heard({ session, answers, atGate, known }: VideoVisit): ClientAnswer[] {
  const { clients } = session.context
  const named = answers.filter(isCause).filter(({ client }) => !clients.isDoubted(client))
  const here = new Set(named.map(({ answer }) => answer.cause))
  const elsewhere = known.causes.filter(isCause).filter(({ answer }) => here.has(answer.cause))
  return [...elsewhere, ...answers, ...atGate.filter(isCause)]
}

/** Reports an obstacle that the visit met, for what it says of the route. */
export function reportHere({ session, ask }: VideoVisit, found: NamedObstacle): Promise<void> {
  const { accountId } = session.context.share
  return reportObstacle(session.lease, found, { accountId, subject: ask.videoId })
}

/** Begins the date call once; a date that does not come is null, never a failure. */
export function startDate(visit: VideoVisit): void {
  const { session, ask, known } = visit
  const { facts } = known
  if (!ask.wantsDate || visit.date !== null) return
  visit.date = requestPublishedAt(session, ask.videoId).then(
    async (reading) => {
      noteDate(session, ask.videoId, reading)
      if (reading.kind === 'dated') {
        facts.publishedAt = reading.publishedAt
        facts.details = { ...facts.details, category: reading.category }
      }
      // The captions tell whether the route is blocked, unless the block is one whatever is asked for.
      if (reading.kind === 'obstructed' && isUnmistakable(reading.obstacle))
        await reportHere(visit, reading.obstacle)
    },
    () => {},
  )
}

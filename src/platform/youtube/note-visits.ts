/** Tells the drift watch how a question fared on one route: what each client answered. */
import { type ClientReading, GOOD_VERDICT, type Visit } from '../../model/platform/visit.ts'
import type { ListPage, Missing, PageInput, VideoFacts, VideoInput } from '../platform.ts'
import { type NamedObstacle, type Obstructed, ruleOf } from './obstacle.ts'
import type { PlayerAnswer } from './player.ts'
import type { DateReading } from './publish-date.ts'
import type { Session } from './session.ts'
import type { ClientAnswer } from './verdict.ts'

type VideoNote = {
  ask: VideoInput
  facts: VideoFacts
  answers: readonly ClientAnswer[]
  deliverer: string | null
}

/** Notes a video's answers. A client in drift that fails where another one delivers is asked last from now on. */
export function noteVideo(session: Session, { ask, facts, answers, deliverer }: VideoNote): void {
  const failed = answers.map(({ client, answer }) => ({ client, ...verdictIn(answer) }))
  const good: ClientReading[] =
    deliverer === null ? [] : [{ client: deliverer, verdict: GOOD_VERDICT, blame: 'video' }]
  const failing = session.context.watch.note({
    ...common(session, 'captions'),
    subject: ask.videoId,
    channel: facts.channelName,
    readings: [...failed, ...good],
    delivered: deliverer,
  })
  for (const client of failing) session.context.clients.askLast(client)
}

export function noteDate(session: Session, videoId: string, reading: DateReading): void {
  const verdict =
    reading.kind === 'obstructed' ? ofObstacle(reading.obstacle) : ofVideo(reading.kind)
  noteOne(session, 'date', { subject: videoId, ...verdict, isGood: reading.kind === 'dated' })
}

/** Notes a list's answer. An empty first page says as much as a list that does not exist. */
export function noteList(
  session: Session,
  { source, cursor }: PageInput,
  page: ListPage | Missing | Obstructed,
): void {
  if (page.kind !== 'obstructed' && cursor !== null) return
  const subject = JSON.stringify(source)
  if (page.kind === 'obstructed')
    return noteOne(session, 'list', { subject, ...ofObstacle(page.obstacle), isGood: false })
  const isEmpty = page.kind === 'page' && page.videos.length === 0 && page.next === null
  const isGood = page.kind === 'page' && !isEmpty
  noteOne(session, 'list', { subject, ...ofVideo(isEmpty ? 'no_videos' : page.kind), isGood })
}

type Verdict = Pick<ClientReading, 'verdict' | 'blame'>

function noteOne(
  session: Session,
  question: Visit['question'],
  { subject, verdict, blame, isGood }: Verdict & { subject: string; isGood: boolean },
): void {
  const client = session.listClient.name
  session.context.watch.note({
    ...common(session, question),
    subject,
    channel: question === 'list' ? subject : null,
    readings: [{ client, verdict: isGood ? GOOD_VERDICT : verdict, blame }],
    delivered: isGood ? client : null,
  })
}

function common({ context, lease }: Session, question: Visit['question']) {
  const { share, now } = context
  const { accountId } = share
  const atMs = now().getTime()
  return { question, route: lease.route.name, epoch: lease.epoch, accountId, atMs }
}

function verdictIn(answer: PlayerAnswer): Verdict {
  switch (answer.kind) {
    case 'tracks':
      return ofVideo(GOOD_VERDICT)
    case 'no_tracks':
      return ofVideo(answer.air === 'no' ? 'no_captions' : answer.air)
    case 'cause':
      return ofVideo(answer.cause)
    case 'not_available':
      return ofVideo(answer.kind)
    case 'obstructed':
      return ofObstacle(answer.obstacle)
    default:
      return answer satisfies never
  }
}

const ofVideo = (verdict: string): Verdict => ({ verdict, blame: 'video' })

function ofObstacle(found: NamedObstacle): Verdict {
  return { verdict: found.name, blame: ruleOf(found).blame }
}

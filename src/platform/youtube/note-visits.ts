/** Tells the drift watch how a question fared on one route: what each client answered. */
import { type ClientReading, GOOD_VERDICT, type Question } from '../../model/platform/visit.ts'
import type { ListPage, Missing, PageInput } from '../platform.ts'
import { type NamedObstacle, type Obstructed, ruleOf } from './obstacle.ts'
import type { DateReading } from './publish-date.ts'
import type { Session } from './session.ts'
import type { ClientAnswer, WordlessAnswer } from './verdict.ts'

/** Subject of a visit, and the channel that it is of, as far as an answer named it. */
type Asked = { question: Question; subject: string; channel: string | null }

/** Notes a video's answers. A client in drift that fails where another one delivers is asked last from now on. */
export function noteVideo(
  session: Session,
  { videoId: subject, channel }: { videoId: string; channel: string | null },
  { answers, delivered }: { answers: readonly ClientAnswer[]; delivered: string | null },
): void {
  const readings = answers.map(({ client, answer }) => readingOf(client, playerVerdict(answer)))
  if (delivered !== null) readings.push(readingOf(delivered, GOOD_VERDICT))
  const asked: Asked = { question: 'captions', subject, channel }
  const failing = note(session, asked, { readings, delivered })
  for (const client of failing) session.context.clients.askLast(client)
}

export function noteDate(session: Session, subject: string, reading: DateReading): void {
  const verdict = reading.kind === 'dated' ? GOOD_VERDICT : reading.kind
  const found = reading.kind === 'obstructed' ? reading.obstacle : verdict
  noteTurn(session, { question: 'date', subject, channel: null }, found)
}

/** Notes a list's answer. An empty first page says as much as a list that does not exist. */
export function noteList(
  session: Session,
  { source, cursor }: PageInput,
  page: ListPage | Missing | Obstructed,
): void {
  if (page.kind !== 'obstructed' && cursor !== null) return
  const subject = JSON.stringify(source)
  noteTurn(session, { question: 'list', subject, channel: subject }, listVerdict(page))
}

/** A verdict that is the video's or list's own, or the obstacle. */
type Verdict = string | NamedObstacle

function listVerdict(page: ListPage | Missing | Obstructed): Verdict {
  if (page.kind === 'obstructed') return page.obstacle
  if (page.kind === 'missing') return page.kind
  return page.videos.length === 0 && page.next === null ? 'no_videos' : GOOD_VERDICT
}

function playerVerdict(answer: WordlessAnswer): Verdict {
  switch (answer.kind) {
    case 'no_tracks':
      return answer.air === 'no' ? 'no_captions' : answer.air
    case 'cause':
      return answer.cause
    case 'not_available':
      return answer.kind
    case 'obstructed':
      return answer.obstacle
    default:
      return answer satisfies never
  }
}

function readingOf(client: string, found: Verdict): ClientReading {
  return typeof found === 'string'
    ? { client, verdict: found, blame: 'video' }
    : { client, verdict: found.name, blame: ruleOf(found).blame }
}

/** Verdict of a client that denies what another one may show. */
const DENIED = { date: 'undated', list: 'missing' }

/** Notes what the clients for dates and lists met in turn, and last the answer that stood. */
function noteTurn(
  session: Session,
  asked: Asked & { question: keyof typeof DENIED },
  found: Verdict,
): void {
  const turn = session.turns.get(asked.question)
  if (turn === undefined) return // no client was asked
  const { spoke, failed } = turn
  const readings = [...failed]
    .filter(([client]) => client !== spoke)
    .map(([client, met]) => readingOf(client, met ?? DENIED[asked.question]))
  const delivered = found === GOOD_VERDICT ? spoke : null
  const failing = note(session, asked, {
    readings: [...readings, readingOf(spoke, found)],
    delivered,
  })
  for (const client of failing) session.context.clients.askLast(client)
}

function note(
  { context, lease }: Session,
  asked: Asked,
  answered: { readings: ClientReading[]; delivered: string | null },
): string[] {
  const { share, now, watch } = context
  const way = { route: lease.route.name, epoch: lease.epoch, accountId: share.accountId }
  return watch.note({ ...asked, ...answered, ...way, atMs: now().getTime() })
}

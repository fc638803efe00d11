/**
 * The lines of a batch, each with what became of it: no line that was ordered is left out unsaid. Jobs come to lines in
 * the order given, and the limit of the order may be used up before the last of them.
 */
import { hasUsedSlots, type JobUse } from './batch.ts'
import { isFinal } from './job.ts'
import { titleOfJob } from './job-name.ts'
import { isOfVideo, type OrderLine } from './order.ts'

export const LINE_STATES = [
  'waiting', // no job has come to it yet
  'reading',
  'read', // all that it holds was taken, or was there before
  'part', // the batch ended before all of it was taken
  'not_reached', // the batch ended before it
] as const

/** Number of videos of a line's list, and how many of them were never tried; null where the list does not say. */
export type LineSize = { videos: number | null; left: number | null }
type LineFacts = LineSize & {
  line: string
  /** The name of its list or its video; null while nobody knows. */
  title: string | null
}

/** Work of one job of a batch on a line, as far as it is recorded. */
export type LineVisit = JobUse &
  LineFacts & {
    jobId: string
    /** Videos of its list that were seen. */
    listed: number
    /** Rows of it that were recorded; those whose captions were asked for; and those that brought a text. */
    rows: number
    taken: number
    delivered: number
    /** Rows of it for which no place was left. */
    lineTruncated: number
  }

export type LineOutcome = LineFacts & {
  state: (typeof LINE_STATES)[number]
  taken: number
  delivered: number
}

/** Returns what became of each line, in the order given; `visits` are in the order of the jobs. */
export function outcomesOfLines(
  lines: readonly OrderLine[],
  visits: readonly LineVisit[],
  isRunning: boolean,
): LineOutcome[] {
  const byLine = Map.groupBy(visits, ({ line }) => line)
  return lines.map((line) => outcomeOfLine(line, byLine.get(line.text) ?? [], isRunning))
}

function outcomeOfLine(line: OrderLine, visits: LineVisit[], isRunning: boolean): LineOutcome {
  const last = visits.at(-1)
  const sum = (of: (visit: LineVisit) => number): number =>
    visits.reduce((total, visit) => total + of(visit), 0)
  const isVideo = isOfVideo(line)
  const ended = endOfVisits(visits, isVideo)
  const onward = isRunning || (last !== undefined && !isFinal(last.state))
  const state =
    !onward || ended === 'read' ? ended : visits.some(isBegun) ? 'reading' : ('waiting' as const)
  return {
    line: line.text,
    title: visits.find(({ title }) => title !== null)?.title ?? null,
    state,
    videos: isVideo ? 1 : (last?.videos ?? null),
    taken: sum(({ taken }) => taken),
    delivered: sum(({ delivered }) => delivered),
    left: isVideo ? Number(ended === 'not_reached') : ended === 'read' ? 0 : (last?.left ?? null),
  }
}

/** Returns how a line stands where no further job comes to it. */
function endOfVisits(
  visits: readonly LineVisit[],
  isVideo: boolean,
): 'read' | 'part' | 'not_reached' {
  const last = visits.at(-1)
  if (last === undefined) return 'not_reached'
  if (last.state === 'finished' && !hasUsedSlots(last)) return 'read'
  if (isVideo) {
    const isRead = last.lineTruncated === 0 && (last.state === 'finished' || last.rows > 0)
    return isRead ? 'read' : 'not_reached'
  }
  if (!visits.some(isBegun)) return 'not_reached'
  return last.state === 'finished' && last.left === 0 ? 'read' : 'part'
}

function isBegun({ listed, rows }: LineVisit): boolean {
  return listed > 0 || rows > 0
}

/** Lines that a sentence names; the others are counted. */
const NAMED_MAX = 3

/** Returns how a batch ended that took as many videos as it may, in a sentence; null where nothing is left. */
export function wordsOfLimit(maxVideos: number, outcomes: readonly LineOutcome[]): string | null {
  const limit = `Limit of ${maxVideos.toLocaleString('en-US')} ${maxVideos === 1 ? 'video' : 'videos'} reached.`
  const of = (wanted: LineOutcome['state']): LineOutcome[] =>
    outcomes.filter(({ state }) => state === wanted)
  const [missed, parts] = [of('not_reached'), of('part')]
  if (missed.length + parts.length === 0) return null
  const told = [
    ...(missed.length === 0 ? [] : [`Not reached: ${namesOf(missed)}.`]),
    ...(parts.length === 0 ? [] : [`Read in part: ${namesOf(parts)}.`]),
  ]
  return `${limit} ${told.join(' ')} Order the same lines again to get the rest.`
}

function namesOf(outcomes: readonly LineOutcome[]): string {
  const named = outcomes.slice(0, NAMED_MAX).map(({ line, title }) => title ?? line)
  const more = outcomes.length - named.length
  return named.join(', ') + (more === 0 ? '' : ` and ${more} more`)
}

/** Returns what each job of a batch is called after what it took, such as "Daily Notes, videos 501 to 700". */
export function titlesOfParts(
  lines: readonly OrderLine[],
  visits: readonly LineVisit[],
): Map<string, string> {
  const places = new Map(lines.map((line, at) => [line.text, { ...line, number: at + 1 }]))
  const called = new Map<string, string>()
  for (const { line, title } of visits) if (title !== null) called.set(line, title)
  const titles = new Map<string, string>()
  let before = 0
  for (const [jobId, ofJob] of Map.groupBy(visits, (visit) => visit.jobId)) {
    const took = ofJob.filter(({ taken }) => taken > 0)
    const shown = took.length === 0 ? ofJob : took
    const [first] = shown
    const place = places.get(first?.line ?? '')
    const of = { givenName: null, lines: shown.length }
    const about = titleOfJob(of, {
      title: called.get(first?.line ?? '') ?? null,
      source: place?.source ?? null,
    })
    const taken = took.reduce((sum, visit) => sum + visit.taken, 0)
    const [from, to] = [before + 1, before + taken].map((number) => number.toLocaleString('en-US'))
    const range = taken === 1 ? `video ${from}` : `videos ${from} to ${to}`
    titles.set(jobId, taken === 0 ? about : `${about}, ${range}`)
    before += taken
  }
  return titles
}

/** Videos that the lines of a preview name: the account's last tries of them, and titles, which the platform tells. */
import { freeCalls } from '../features/jobs/free-calls.ts'
import { rememberPublishDate } from '../features/jobs/lists.ts'
import { LIMITS } from '../config/config.ts'
import { halfOf } from '../model/jobs/allowance.ts'
import { STATUSES_OF_REFUSALS } from '../model/jobs/video-row.ts'
import { canonicalVideoId } from '../model/platform/source-link.ts'
import type { Finding } from '../model/previews/preview.ts'
import { oneLine } from '../model/transcripts/one-line.ts'
import type { DateAnswer } from '../platform/platform.ts'
import { type FailedTry, readFailedTries } from '../store/history.ts'
import type { PlanRun } from './job-run.ts'

export type NamedVideo = { videoId: string; finding: Finding }

/** Tells of each video that the account does not own how its last try ended, whatever order it was of. */
export async function tellTries(
  { ctx, job: { accountId, language } }: PlanRun,
  videos: readonly NamedVideo[],
): Promise<void> {
  const spellings = videos.flatMap(({ videoId }) => [videoId, canonicalVideoId(videoId)])
  const videoIds = [...new Set(spellings)]
  const tries = await readFailedTries(ctx.db, { accountId, videoIds })
  for (const { videoId, finding } of videos) {
    const last = tries.get(canonicalVideoId(videoId)) ?? tries.get(videoId)
    if (last === undefined) continue
    finding.title ??= last.title
    finding.channelName ??= last.channelName
    const isOwned = finding.delivered + (finding.owned ?? 0) > 0
    if (isOwned || isOfOtherLanguage(last, language)) continue
    const { status, label, attemptedAt } = last
    finding.tried = { status, label, at: attemptedAt.toISOString() }
    // What is tried with slots left over is counted with them.
    if (finding.wouldTake > 0 && STATUSES_OF_REFUSALS.includes(status)) finding.hopeless += 1
  }
}

/** Returns whether the try was in vain for a language that this order does not wish: it says nothing of this one. */
function isOfOtherLanguage({ status, language }: FailedTry, wished: string): boolean {
  return status === 'language_not_available' && language.toLowerCase() !== wished.toLowerCase()
}

/** Number of titles of one preview asked for at once. */
const TITLES_ASKED_AT_ONCE_MAX = 8

/**
 * Asks the platform for the titles that nothing else told, a few at a time for some seconds, and calls `onNamed` after
 * each group. They use at most half of what previews may of the account's allowance, so that lists come first. Whatever
 * goes wrong leaves a line without a title: it is no verdict on the video.
 */
export async function nameVideos(
  run: PlanRun,
  videos: readonly NamedVideo[],
  onNamed: () => Promise<void>,
): Promise<void> {
  const { ctx, job, calls: ofLists } = run
  const nameless = videos.filter(({ finding }) => isNameless(finding))
  const open = [...Map.groupBy(nameless, ({ videoId }) => videoId)]
  if (open.length === 0 || ofLists.spent !== null) return
  const late = AbortSignal.timeout(LIMITS.previewTitlesSeconds * 1000)
  const signal = AbortSignal.any([run.signal, late])
  const calls = freeCalls(ctx.db, job.accountId, halfOf(halfOf(ctx.allowance)))
  try {
    while (open.length > 0 && calls.spent === null) {
      const group = open.splice(0, TITLES_ASKED_AT_ONCE_MAX)
      const answers = await Promise.all(
        group.map(async ([videoId, lines]) => {
          const answer = await askNames({ ...run, calls, signal }, videoId)
          if (answer?.kind === 'dated') for (const { finding } of lines) name(finding, answer)
          return answer
        }),
      )
      await onNamed()
      // The platform answers nothing now; asking on would only hold the preview up.
      if (answers.every((answer) => answer === null || answer.kind === 'obstructed')) return
    }
  } catch (error) {
    if (run.signal.aborted || !late.aborted) throw error
  } finally {
    await calls.settle().catch(() => undefined) // what is owed while the database is away costs nothing
  }
}

/** Returns whether a line has no title, and is new: what the account tried before was refused with its name. */
function isNameless({ title, delivered, knownNegative, tried = null }: Finding): boolean {
  return title === null && tried === null && delivered + knownNegative === 0
}

/** Returns the names and the date of a video, which costs one call; null where no call is left. */
async function askNames(
  { ctx, calls, share, platform, signal }: PlanRun,
  videoId: string,
): Promise<DateAnswer | null> {
  const answer = await calls.ask((onCall) =>
    ctx.slots.fetching.run(share, signal, () =>
      platform.fetchPublishedAt({ videoId, onCall }, signal),
    ),
  )
  if (answer?.kind !== 'dated') return answer
  const { publishedAt } = answer
  await rememberPublishDate(ctx.db, share.accountId, { videoId, publishedAt })
  return answer
}

function name(finding: Finding, named: DateAnswer & { kind: 'dated' }): void {
  const { title = null, channelName = null } = named
  finding.title ??= title === null ? null : oneLine(title)
  finding.channelName ??= channelName === null ? null : oneLine(channelName)
}

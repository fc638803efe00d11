/** Runs one preview: lists it, or reads a visitor's video, within its time, and writes down what was found out. */
import { type FreeCalls, freeCalls } from '../features/jobs/free-calls.ts'
import { recordFindings } from '../features/previews/previews.ts'
import { LIMITS } from '../config/config.ts'
import { halfOf } from '../model/jobs/allowance.ts'
import { type DateInstants, exactly } from '../model/jobs/date-bounds.ts'
import { usualSentence } from '../model/jobs/video-row.ts'
import { type Findings, NO_FINDINGS, withoutTime } from '../model/previews/preview.ts'
import { beginningOf, type TrialFinding, VISITORS } from '../model/previews/trial.ts'
import { oneLine } from '../model/transcripts/one-line.ts'
import type { TextReader } from '../features/transcripts/read-stored.ts'
import type { VideoAnswer } from '../platform/platform.ts'
import { readRecentShare } from '../store/admission.ts'
import { findPublishDates } from '../store/list-copies.ts'
import type { ClaimedPreview, PreviewRecord } from '../store/previews.ts'
import type { PlanRun } from './job-run.ts'
import type { DateAsker } from './list-dates.ts'
import { FINAL_SLOTS } from './job-slots.ts'
import { listPreview } from './list-preview.ts'
import { rowOfAnswer } from './row-content.ts'
import { previewedLists, type SharedLists } from './shared-lists.ts'
import type { WorkerContext } from './worker-context.ts'

/**
 * Reads the video of a visitor's preview: when no job wants the slot or the route, and not at all where half of the
 * routes rest.
 */
async function readTrial(
  { platform, slots, textReader }: WorkerContext,
  { id, urls: [videoId = ''] }: PreviewRecord,
  signal: AbortSignal,
): Promise<TrialFinding> {
  const share = { accountId: VISITORS, jobId: id, isSpare: true }
  const ask = { videoId, language: LANGUAGE, wantsDate: false }
  const answer = await slots.fetching.run(share, signal, () =>
    platform.onBehalfOf(share).fetchVideo(ask, signal),
  )
  signal.throwIfAborted()
  return findingOf(videoId, answer, textReader)
}

const LANGUAGE = 'original'

async function findingOf(
  videoId: string,
  answer: VideoAnswer,
  textReader: TextReader,
): Promise<TrialFinding> {
  const [title, channelName] = [storable(answer.facts.title), storable(answer.facts.channelName)]
  const start = { videoId, title: null, channelName: null, publishedAt: null }
  switch (answer.kind) {
    case 'fetched': {
      const { transcript } = answer
      const { languageCode, trackKind } = transcript
      const shown =
        'stored' in transcript
          ? await textReader.readBeginning(transcript.stored.body)
          : beginningOf(transcript.segments)
      return { kind: 'read', title, channelName, languageCode, trackKind, ...shown }
    }
    case 'refused':
    case 'obstructed': {
      const { content, reason } = rowOfAnswer(start, answer, {
        language: LANGUAGE,
        wishedTrack: null,
      })
      const { status, label } = content
      // The platform's own words are left out: the page is public.
      const sentence =
        status === 'success' || status === 'unchanged' ? '' : usualSentence(status, reason)
      return answer.kind === 'refused'
        ? { kind: 'refused', title, label, sentence }
        : { kind: 'obstructed', sentence }
    }
    default:
      return answer satisfies never
  }
}

/** Returns the text without half characters, which the database does not take in JSON. */
function storable(text: string | null): string | null {
  return text === null ? null : oneLine(text)
}

export type PreviewParts = {
  ctx: WorkerContext
  /**
   * Shared lists of previews only: a preview waits for all other work, and a job that shared its question would wait,
   * too.
   */
  lists: SharedLists
}

/**
 * Runs the preview. Throws where another worker is to list it: the process stops, or the database is away. Listed pages
 * stay, so that the next worker asks for none of them again.
 */
export async function runPreview(
  parts: PreviewParts,
  { preview, leftMs }: ClaimedPreview,
  draining: AbortSignal,
): Promise<void> {
  const { db, log, metrics } = parts.ctx
  const findings: Findings = structuredClone(NO_FINDINGS)
  const restMs = Math.ceil(Math.min(leftMs, LIMITS.previewListingSeconds * 1000))
  const inTime = leftMs > 0 ? AbortSignal.timeout(restMs) : AbortSignal.abort()
  const { accountId } = preview
  let fault: string | null = null
  try {
    const signal = AbortSignal.any([draining, inTime])
    signal.throwIfAborted()
    if (accountId === null) findings.trial = await readTrial(parts.ctx, preview, signal)
    else await list(parts, { preview, accountId, signal }, findings)
  } catch (error) {
    if (draining.aborted) throw error
    fault = inTime.aborted ? 'late' : 'failed'
    if (!inTime.aborted)
      log.error({ err: error, previewId: preview.id }, 'a preview could not be listed')
    Object.assign(findings, withoutTime(findings, []))
  }
  const ended = accountId === null ? metrics.trialsEnded : metrics.previewsEnded
  if (await recordFindings(db, preview, { findings, isReady: true }))
    ended.inc({ outcome: fault ?? findings.trial?.kind ?? 'ready' })
}

async function list(
  { ctx, lists }: PreviewParts,
  {
    preview,
    accountId,
    signal,
  }: { preview: PreviewRecord; accountId: string; signal: AbortSignal },
  findings: Findings,
): Promise<void> {
  const { db, platform } = ctx
  const { id, urlSetHash, language, wishedTrack, skipsOwned } = preview
  const share = { accountId, jobId: id, isSpare: true }
  const calls = await openCalls(ctx, accountId)
  const assumed = new Set<string>()
  const run: PlanRun = {
    ctx,
    share,
    platform: platform.onBehalfOf(share),
    calls,
    signal,
    job: { id, accountId, urlSetHash, language, wishedTrack, skipsOwned },
    jobsOfBatch: new Set(),
    lists: previewedLists(lists, { isKept: true }),
    isNewSet: false,
    slots: FINAL_SLOTS,
    isParking: () => false,
    askDates: async (videoIds) =>
      assumingAsker(await findPublishDates(db, accountId, videoIds), preview, assumed),
  }
  try {
    findings.usualShare = await readRecentShare(db)
    await listPreview({ run, preview, assumed }, findings, async () => {
      await recordFindings(db, preview, { findings, isReady: false })
    })
    if (findings.undated > 0) findings.notices.push(undatedNotice(findings.undated))
  } finally {
    await calls.settle().catch(() => undefined) // what is owed while the database is away costs nothing
  }
}

function undatedNotice(count: number): string {
  const videos = count === 1 ? 'One video counts' : `${count} videos count`
  return `${videos} as inside the dates, since a preview asks for no exact publish date; the job does, and takes only what lies inside.`
}

/**
 * Returns an asker that never asks the platform: a date that the account does not know yet counts as inside the bounds.
 */
function assumingAsker(
  known: ReadonlyMap<string, string>,
  { afterAt, beforeAt }: DateInstants,
  assumed: Set<string>,
): DateAsker {
  return {
    async ask(videoId) {
      const date = exactly(known.get(videoId) ?? null)
      if (date.kind === 'exact') return date
      assumed.add(videoId)
      return { kind: 'exact', at: afterAt ?? beforeAt ?? new Date(0) }
    },
    asked: () => null,
    spelled: (videoId) => known.get(videoId) ?? null,
  }
}

/**
 * Returns the part of the account's allowance that previews may use. Where too many videos were refused today, nothing
 * is left of it, for a preview as for a job. `keep` does nothing, since a preview keeps no rows.
 */
async function openCalls({ db, allowance }: WorkerContext, accountId: string): Promise<FreeCalls> {
  const whole = freeCalls(db, accountId, allowance)
  await whole.checkRefused()
  if (whole.spent !== null) return whole
  const calls = freeCalls(db, accountId, halfOf(allowance))
  return Object.assign(calls, { keep: () => undefined })
}

/**
 * Lists a preview: plans as a job does (plan-job.ts), over as many pages as a preview may read, and records no rows.
 * The selection takes what a job that is started at once would take.
 */
import type { ListedPage } from '../features/jobs/plan-rows.ts'
import { findOwned } from '../features/jobs/owned-videos.ts'
import { meetsWish } from '../model/transcripts/caption-track.ts'
import { boundsOf, exactly, isBounded } from '../model/jobs/date-bounds.ts'
import type { OwnedText } from '../model/jobs/owned-text.ts'
import {
  finish,
  newPlan,
  openSelection,
  type Selection,
  slotsLeft,
  wantsMore,
} from '../model/jobs/selection.ts'
import { keptLines, type OrderLine } from '../model/jobs/order.ts'
import { type Finding, type Findings, newFinding } from '../model/previews/preview.ts'
import { findCollection } from '../store/collections.ts'
import { countKnown, readHistory } from '../store/history.ts'
import type { PreviewRecord } from '../store/previews.ts'
import type { PlanRun } from './job-run.ts'
import { type Batch, type Listing, batchesOf, planNamed } from './plan-job.ts'
import { planList } from './plan-list.ts'
import { describeList, type ListNotes, openListNotes } from './preview-notes.ts'
import { endSentence } from './row-content.ts'

type PreviewListing = {
  run: PlanRun
  preview: PreviewRecord
  /** Videos whose exact date is not known and was not asked for: they count as inside the bounds. */
  assumed: ReadonlySet<string>
}

type Look = PreviewListing & {
  selection: Selection
  findings: Findings
  /** The position of the line that each video belongs to. */
  positions: Map<string, number>
  membersOnly: Set<string>
  /** Ids of videos that a job would try. */
  taken: Set<string>
}

/** Fills `findings`, and calls `onSettled` after each line or group of named videos that is done. */
export async function listPreview(
  listing: PreviewListing,
  findings: Findings,
  onSettled: () => Promise<void>,
): Promise<void> {
  const { preview, run } = listing
  const listings = keptLines(preview).flatMap(listingOf)
  findings.sources = listings.map(({ progress, source }) => newFinding(progress.line, source))
  const slots = preview.maxVideos
  const selection = openSelection({ slots, bounds: boundsOf(preview), plan: newPlan() })
  const look = {
    ...listing,
    selection,
    findings,
    positions: new Map(),
    membersOnly: new Set<string>(),
    taken: new Set<string>(),
  }

  let listsLeft = listings.filter(({ source }) => source.kind !== 'video').length
  // The first page of each list is always read.
  let pagesLeft = Math.max(run.ctx.previewPagesMax, listsLeft)
  for (const batch of batchesOf(listings)) {
    const [first] = batch
    if (first.source.kind === 'video') await lookAtNamed(look, batch)
    else {
      listsLeft -= 1
      pagesLeft -= await lookAtList(look, first, pagesLeft - listsLeft)
    }
    await onSettled()
  }
  for (const { kind, videoId } of finish(selection)) {
    const finding = findings.sources[(look.positions.get(videoId) ?? 1) - 1]
    if (kind !== 'take' || finding === undefined) continue
    finding.wouldTake += 1
    finding.hopeless += 1 // it was refused before and is tried again, since a slot is left
  }
}

function listingOf({ text: line, source }: OrderLine, place: number): Listing[] {
  if (source === null) return []
  const nowhere = { cursor: null, copyId: null, heads: null, listed: 0, isPreviewed: false }
  const progress = { ...nowhere, position: place + 1, line, source, state: 'waiting' as const }
  return [{ progress, source }]
}

/** Counts what is known of named videos; the platform is not asked about them. */
async function lookAtNamed(look: Look, batch: Batch): Promise<void> {
  for (const { progress, source } of batch) {
    if (source.kind === 'video') place(look, source.videoId, progress.position)
  }
  await planNamed(look.run, look.selection, batch, async (page) => notePage(look, page))
  for (const { progress, source } of batch) {
    const finding = findingAt(look, progress.position)
    if (source.kind === 'video') await countHistory(look, progress.position, [source.videoId])
    Object.assign(finding, { isComplete: true, isSettled: true, beyond: 0 })
  }
}

/** Returns the number of pages that were read. */
async function lookAtList(
  look: Look,
  { progress, source }: Listing,
  pages: number,
): Promise<number> {
  if (source.kind === 'video') return 0
  const { selection } = look
  const finding = findingAt(look, progress.position)
  const notes = openListNotes(look.run.lists, pages)
  const run = { ...look.run, lists: notes.lists }
  const isWanted = wantsMore(selection)
  await planList(run, selection, { progress, source }, async (page) => {
    for (const video of notes.videos.values()) {
      place(look, video.videoId, progress.position)
      if (video.isMembersOnly) look.membersOnly.add(video.videoId)
    }
    notePage(look, page)
  })
  // Earlier lines take all slots, so a job would not read this list; its owner still sees what it is.
  if (!isWanted) {
    const answer = await run.lists.page(source, { cursor: null, copyId: null }, run)
    if (answer.kind === 'missing') Object.assign(finding, { error: answer.text, isComplete: true })
    if (answer.kind === 'obstructed') finding.error = answer.obstacle.text
    const end = answer.kind === 'page' ? answer.end : undefined
    if (end !== undefined)
      Object.assign(finding, { error: endSentence(end), isComplete: end.kind === 'absent' })
  }
  describeList(
    finding,
    notes,
    await countHistory(look, progress.position, [...notes.videos.keys()]),
  )
  await concludeRest(look, finding, notes)
  return notes.pages
}

/** Concludes what a job would do with the part of the list that was not read. */
async function concludeRest(look: Look, finding: Finding, notes: ListNotes): Promise<void> {
  const { selection, run } = look
  const isOver = finding.error === null && !notes.isCut && (notes.isRead || wantsMore(selection))
  finding.isSettled = true
  finding.isComplete ||= isOver
  finding.beyond = 0
  // Behind the end of a list that may hold more, a job takes nothing, either.
  if (finding.isComplete || notes.isRead || !wantsMore(selection)) return
  const spent = run.calls.spent
  if (finding.error === null && spent !== null) finding.error = SPENT[spent]
  if (finding.videos === null || isBounded(selection.bounds) || notes.videos.size === 0) {
    finding.beyond = null
    return
  }
  const { accountId, urlSetHash } = run.job
  const isAlone = look.findings.sources.length === 1
  const known = isAlone ? await countKnown(run.ctx.db, { accountId, urlSetHash }) : 0
  const ofSet = Math.max(0, known - finding.delivered - finding.knownNegative)
  const owned = await countOwnedBehind(look, finding, notes)
  finding.owned = (finding.owned ?? 0) + owned
  const unseen = finding.videos - notes.videos.size
  const behind = run.job.skipsOwned ? Math.max(ofSet, owned) : ofSet
  const taken = Math.min(Math.max(0, unseen - behind), slotsLeft(selection))
  finding.elsewhere =
    (finding.elsewhere ?? 0) +
    (run.job.skipsOwned ? owned : Math.min(taken, Math.max(0, owned - ofSet)))
  finding.unchanged = (finding.unchanged ?? 0) + behind
  takeUnseen(selection, finding, taken)
}

/** Returns how many videos behind the pages read the account owns, as far as its library knows the list. */
async function countOwnedBehind(
  { run: { ctx, job } }: Look,
  { owned = 0 }: Finding,
  { collectionId, videos }: ListNotes,
): Promise<number> {
  const { accountId, language, wishedTrack } = job
  const id = collectionId
  const collection = id === null ? null : await findCollection(ctx.db, { accountId, id })
  // A collection does not say of which kind its texts are.
  const isMet =
    wishedTrack === null &&
    collection?.languages.every((code) => meetsWish(code, language)) === true
  if (collection === null || !isMet) return 0
  return Math.max(0, Math.min(collection.delivered - owned, collection.videos - videos.size))
}

/** Adds the slots that videos behind the last read page would take, before any later line gets them. */
function takeUnseen({ plan, slots }: Selection, finding: Finding, count: number): void {
  finding.wouldTake += count
  plan.slotsTaken += count
  plan.waiting.splice(slots - plan.slotsTaken)
}

const PREVIEWS_SPENT =
  "This account's previews have used their part of today's free listing; a job may still read it. They continue after midnight (UTC), or after adding credit."
const SPENT = {
  day: PREVIEWS_SPENT,
  job: PREVIEWS_SPENT,
  refused:
    'This account requested too many videos without a transcript today; no more are tried until midnight (UTC), or until credit is added.',
}

/** Notes the rows that a job would record for this page. */
function notePage(look: Look, { rows }: ListedPage): void {
  for (const row of rows) {
    const finding = look.findings.sources[row.source - 1]
    if (finding === undefined) continue
    const video = row.kind === 'planned' ? row : row.content
    if (row.kind === 'finished' && row.content.videoId === null) {
      noteEnd(finding, row.content)
      continue
    }
    if (finding.kind === 'video') {
      finding.title = video.title
      finding.channelName = video.channelName
      const date = exactly(video.publishedAt)
      finding.newestAt = finding.oldestAt = date.kind === 'exact' ? date.at.toISOString() : null
    }
    if (row.kind !== 'planned') continue
    finding.wouldTake += 1
    look.taken.add(row.videoId)
    if (look.membersOnly.has(row.videoId)) finding.hopeless += 1
    if (look.assumed.has(row.videoId)) look.findings.undated += 1
  }
}

/** Notes the row of a list that is missing or could not be read. A list that was only cut short is no error. */
function noteEnd(
  finding: Finding,
  { status, errorMessage }: { status: string; errorMessage: string | null },
): void {
  if (status === 'truncated') return
  finding.error = errorMessage
  finding.isComplete = status === 'invalid_url'
}

/**
 * Counts what the account's history says of the videos, and which it owns by any order; returns the exact dates that
 * the history holds.
 */
async function countHistory(
  look: Look,
  position: number,
  videoIds: string[],
): Promise<Map<string, Date>> {
  const { ctx, job } = look.run
  const { accountId, urlSetHash, language, wishedTrack, skipsOwned } = job
  const finding = findingAt(look, position)
  const owned = await findOwned(ctx.db, { accountId, language, wishedTrack, videoIds })
  const known = await readHistory(ctx.db, { accountId, urlSetHash, videoIds })
  const dates = new Map<string, Date>()
  for (const [videoId, { entry, publishedAt }] of known) {
    if (entry.kind === 'delivered') finding.delivered += 1
    if (entry.kind === 'negative') finding.knownNegative += 1
    const date = exactly(publishedAt)
    if (date.kind === 'exact') dates.set(videoId, date.at)
  }
  const isDelivered = (id: string): boolean => known.get(id)?.entry.kind === 'delivered'
  const first = videoIds.filter((id) => look.positions.get(id) === position)
  const elsewhere = [...owned].filter(
    ([id]) =>
      !isDelivered(id) && look.positions.get(id) === position && (skipsOwned || look.taken.has(id)),
  )
  if (finding.kind === 'video') {
    const [text] = owned.values()
    finding.title ??= text?.title ?? null
    finding.channelName ??= text?.channelName ?? null
  }
  finding.owned = owned.size
  finding.elsewhere = elsewhere.length
  finding.unchanged = first.filter((id) => isDelivered(id) || (skipsOwned && owned.has(id))).length
  finding.ownedFrom = latestOf(elsewhere.map(([, text]) => text))
  return dates
}

function latestOf(texts: OwnedText[]): { jobId: string; since: string } | null {
  const [latest] = texts.toSorted((a, b) => b.deliveredAt.getTime() - a.deliveredAt.getTime())
  if (latest === undefined) return null
  return { jobId: latest.jobId, since: latest.deliveredAt.toISOString() }
}

function place({ positions }: Look, videoId: string, position: number): void {
  if (!positions.has(videoId)) positions.set(videoId, position)
}

function findingAt({ findings }: Look, position: number): Finding {
  const finding = findings.sources[position - 1]
  if (finding === undefined) throw new Error(`line ${position} has a finding`)
  return finding
}

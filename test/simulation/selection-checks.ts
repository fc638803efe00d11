/** What must hold for every job of the selection simulation, and the situations that jobs have reached. */
import assert from 'node:assert/strict'
import type { Job } from './selection-job.ts'
import { type Expected, isInside, type Log, retryPriorityOf } from './selection-model.ts'
import type { Nature, SelectionWorld } from './selection-world.ts'

/** Situations that must all be reached, or the run has proven less than it says. */
export const reached = {
  captionlessRunOverMaxVideos: 0,
  retakenNegative: 0,
  negativeNotRetaken: 0,
  retriedAfterFailure: 0,
  retriedYoungOrLive: 0,
  setAsideAfterTwoFailures: 0,
  deliveredAfterThreeFailures: 0,
  uploadDelivered: 0,
  captionsAddedThenDelivered: 0,
  duplicateInList: 0,
  videoInSeveralSources: 0,
  blockedAfterDefiniteNo: 0,
  listedThenNamed: 0,
  crashed: 0,
  disturbed: 0,
  cancelled: 0,
  skippedOutside: 0,
  skippedUntold: 0,
  dateAsked: 0,
  endedByBounds: 0,
  stoppedWhenFull: 0,
  truncatedListed: 0,
  truncatedNamed: 0,
  truncatedNamedNegative: 0,
  unchanged: 0,
  ownedLeftOut: 0,
  ownedBoughtAgain: 0,
  uploads: 0,
  deletions: 0,
  reorders: 0,
  captionsAdded: 0,
  copies: 0,
}

type Past = {
  world: SelectionWorld
  log: Log
  firstNatures: Map<string, Nature['kind']>
  owned: ReadonlySet<string>
}

/** Checks what holds for every job, cancelled or disturbed ones too. */
export function checkSelectedRows({ world, log }: Pick<Past, 'world' | 'log'>, job: Job): void {
  const rows = [...job.rows.values()]
  const dense = rows.map((_, i) => i + 1)
  assert.deepEqual(
    rows.map((row) => row.index),
    dense,
    'indexes are dense in planning order',
  )
  const taken = rows.filter((row) => row.kind === 'take')
  assert(taken.length <= job.slots, 'no more attempts than slots')

  for (const { videoId, kind } of rows) {
    const isFitting = isInside(job.bounds, world.videos.get(videoId)!)
    const isDelivered = retryPriorityOf(log, videoId) === 'delivered'
    assert.equal(kind === 'unchanged', isDelivered, `${videoId}: ${kind}`)
    if (kind === 'take') assert(isFitting, `${videoId} is taken in bounds`)
    if (kind === 'skipped') assert(!isFitting, `${videoId} is skipped out of bounds`)
    if (kind === 'truncated') assert.equal(taken.length, job.slots, 'truncated means full')
  }
}

/** Checks what the slow model says, for a job that was not disturbed and whose lists did not change. */
export function checkSelection(
  { world, log }: Pick<Past, 'world' | 'log'>,
  job: Job,
  should: Expected,
): void {
  const rows = [...job.rows.values()]
  const ids = (kind: string) => rows.filter((row) => row.kind === kind).map((row) => row.videoId)
  const firstOf = (videoId: string) => should.walked.findIndex((one) => one.videoId === videoId)
  const isListedFirst = (videoId: string) => should.walked[firstOf(videoId)]?.page !== null

  assert.deepEqual(ids('take'), [...should.taken, ...should.retaken])
  assert.deepEqual(ids('unchanged'), should.unchanged)
  assert.deepEqual([...job.pagesRead].sort(), should.pages.toSorted(), 'no page without need')
  const discovered = new Set(should.walked.map((place) => place.videoId)).size
  if (job.crashes === 0) assert.equal(job.plan.discovered, discovered)
  else assert(job.plan.discovered >= discovered)

  for (const { videoId, page } of should.walked) {
    const mustHaveRow = page === null || retryPriorityOf(log, videoId) === 'first'
    if (mustHaveRow) assert(job.rows.has(videoId), `${videoId} has a row`)
  }
  const retakenAt = rows.findIndex((row) => should.retaken.includes(row.videoId))
  const early = retakenAt < 0 ? rows.filter(isNotLate(log)) : rows.slice(0, retakenAt)
  // A video whose turn is over got no row where a list showed it; its row is where it is named.
  const isOver = ({ videoId }: { videoId: string }) =>
    retryPriorityOf(log, videoId) === 'last' && isListedFirst(videoId)
  const order = early.filter((row) => !isOver(row)).map((row) => firstOf(row.videoId))
  assert.deepEqual(
    order,
    order.toSorted((a, b) => a - b),
    'rows stand in listing order',
  )
  const named = should.walked.filter(({ page }) => page === null).map(({ videoId }) => videoId)
  for (const { videoId } of retakenAt < 0 ? [] : rows.slice(retakenAt)) {
    assert(should.retaken.includes(videoId) || named.includes(videoId), 'retaken ones come last')
  }
  for (const videoId of ids('truncated').filter((videoId) => named.includes(videoId))) {
    const isFitting = isInside(job.bounds, world.videos.get(videoId)!)
    // A video that a list showed first has its row from there: in a full job its date is not asked for.
    assert(isFitting || isListedFirst(videoId), `${videoId} is named and outside: skipped`)
  }
  const lastPage = should.walked.findLast(({ page }) => page !== null)?.page
  for (const videoId of ids('truncated').filter((videoId) => !named.includes(videoId))) {
    const pages = should.walked.filter((one) => one.videoId === videoId).map((one) => one.page)
    assert(pages.includes(lastPage ?? ''), 'listed ones are truncated on the last page only')
  }
}

/** A named video with a definite no may get its `truncated` row at the very end. */
function isNotLate(log: Log): (row: { videoId: string; kind: string }) => boolean {
  return ({ videoId, kind }) => kind !== 'truncated' || retryPriorityOf(log, videoId) === 'first'
}

/** Counts the situations that this job has shown; the log is the one before the job. */
export function countSituations(past: Past, job: Job, should: Expected): void {
  const { world, log, firstNatures, owned } = past
  const rows = [...job.rows.values()]
  const count = (name: keyof typeof reached, isSo: boolean) => {
    if (isSo) reached[name] += 1
  }
  const isNamed = (videoId: string) =>
    should.walked.some((place) => place.videoId === videoId && place.page === null)

  count('crashed', job.crashes > 0)
  count('disturbed', job.isDisturbed)
  count('dateAsked', job.datesAsked > 0)
  count('retakenNegative', should.retaken.length > 0)
  count('captionlessRunOverMaxVideos', should.taken.length > 0 && longestRun(past, job) > job.slots)
  for (const { videoId, page } of should.walked) {
    count('listedThenNamed', page !== null && isNamed(videoId))
    const isLeft = retryPriorityOf(log, videoId) === 'last' && !job.rows.has(videoId)
    count('negativeNotRetaken', isLeft)
    const answers = log.get(videoId)?.map(({ answer }) => answer) ?? []
    count('setAsideAfterTwoFailures', isLeft && !answers.includes('definite'))
  }
  for (const { videoId, kind, status } of rows) {
    const attempts = log.get(videoId) ?? []
    const isRetry =
      kind === 'take' && retryPriorityOf(log, videoId) === 'first' && attempts.length === 1
    count('retriedAfterFailure', isRetry && attempts[0]?.status === 'blocked_suspect')
    count('retriedYoungOrLive', isRetry && attempts[0]?.status === 'no_captions')
    const failures = attempts.filter(({ answer }) => answer === 'passing').length
    const isBlocked = status === 'blocked_suspect'
    count('blockedAfterDefiniteNo', isBlocked && attempts.some((a) => a.answer === 'definite'))
    count('deliveredAfterThreeFailures', status === 'success' && failures >= 3)
    count('uploadDelivered', status === 'success' && videoId.startsWith('new'))
    const wasSilent = firstNatures.get(videoId) === 'none'
    count('captionsAddedThenDelivered', status === 'success' && wasSilent)
    const { isUntold } = world.videos.get(videoId)!
    count('skippedUntold', kind === 'skipped' && isUntold)
    count('skippedOutside', kind === 'skipped' && !isUntold)
    count('truncatedListed', kind === 'truncated' && !isNamed(videoId))
    const isTruncatedNamed = kind === 'truncated' && isNamed(videoId)
    count('truncatedNamed', isTruncatedNamed)
    count('truncatedNamedNegative', isTruncatedNamed && retryPriorityOf(log, videoId) === 'last')
    count('unchanged', kind === 'unchanged')
    const isOwned = owned.has(videoId)
    count('ownedLeftOut', isOwned && job.skipsOwned && kind === 'unchanged')
    count('ownedBoughtAgain', isOwned && !job.skipsOwned && status === 'success')
  }
  countLists(world, job, should)
}

function countLists(world: SelectionWorld, job: Job, should: Expected): void {
  const seen = new Map<string, number>()
  world.sources.forEach((source, i) => {
    if (source.kind === 'named') return
    for (const videoId of source.videoIds) {
      if (seen.get(videoId) === i) reached.duplicateInList += 1
      else if (seen.has(videoId)) reached.videoInSeveralSources += 1
      seen.set(videoId, i)
    }
    const pagesMax = Math.ceil(source.videoIds.length / job.pageSize)
    const pages = should.pages.filter((page) => page.startsWith(`${i}:`)).length
    const isFull = should.taken.length === job.slots
    if (pages < pagesMax) reached[isFull ? 'stoppedWhenFull' : 'endedByBounds'] += 1
  })
}

function longestRun({ world, log }: Past, { bounds }: Job): number {
  let longest = 0
  for (const source of world.sources) {
    let run = 0
    for (const videoId of source.kind === 'named' ? [] : source.videoIds) {
      const isIn = isInside(bounds, world.videos.get(videoId)!)
      run = isIn && retryPriorityOf(log, videoId) === 'last' ? run + 1 : 0
      longest = Math.max(longest, run)
    }
  }
  return longest
}

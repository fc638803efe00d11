/** The tool `get_transcript`: the text of one video in one call, owned or ordered. */
import { type Static, Type } from 'typebox'
import type { ApiContext } from '../../api/api-context.ts'
import { closedObject } from '../../api/contract.ts'
import { readJobOrder } from '../../api/jobs/order-job.ts'
import { JobBody } from '../../api/jobs/schema.ts'
import { readResults } from '../../features/jobs/read-jobs.ts'
import { findOwned } from '../../features/jobs/owned-videos.ts'
import { readBalance } from '../../features/money/balance.ts'
import { inTurns } from '../../kit/concurrency.ts'
import { LIMITS } from '../../config/config.ts'
import { refuseField } from '../../kit/problem.ts'
import { hasVisible } from '../../kit/text/invisible.ts'
import { isFinal } from '../../model/jobs/job.ts'
import { BY_ONE_APP } from '../../model/jobs/video-row.ts'
import { readingUrlSet } from '../../model/jobs/url-set.ts'
import { dollars, formatUsd, PRICE_MICROS } from '../../model/money/money.ts'
import { ORIGINAL } from '../../model/transcripts/caption-track.ts'
import type { JobRecord } from '../../store/jobs.ts'
import type { FinishedRow } from '../../store/video-rows.ts'
import { type AnsweredPage, JobFields, maybeText, PageAnswerFields, textField } from '../answers.ts'
import { jobAfterWait, summaryOf, WaitSeconds } from '../job-answers.ts'
import {
  AFTER_VIDEO,
  buyInLanguage,
  INSTEAD,
  namesAList,
  readOn,
  takesOneLine,
} from '../next-steps.ts'
import { textPageAnswer, PageFields, readTextPage } from '../text-page.ts'
import {
  type AgentCall,
  briefly,
  defineTool,
  jsonAnswer,
  READS,
  type ToolAnswer,
  withoutNulls,
} from '../tool.ts'
import { startOrJoin } from './start-job.ts'

const input = closedObject({
  video: Type.String({ description: 'URL or id of one video' }),
  language: briefly(JobBody.properties.language),
  ...PageFields,
  waitSeconds: Type.Optional(WaitSeconds),
})
type Input = Static<typeof input>
/** A page with what it cost; or the job that fetches the text, or why there is none. */
const output = closedObject({
  ...Type.Partial(Type.Object({ ...JobFields, ...PageAnswerFields })).properties,
  jobId: textField,
  languageCode: maybeText,
  balanceUsd: maybeText,
  videoId: maybeText,
  status: maybeText,
  label: maybeText,
  errorMessage: maybeText,
  next: maybeText,
})
type Answer = ToolAnswer<Static<typeof output>>

export const getTranscriptTool = defineTool({
  name: 'get_transcript',
  title: 'Get a transcript',
  description:
    `The text of one video, first page: free if you own it, else it is bought for ${dollars(PRICE_MICROS)} ` +
    `and waited for. No captions, no charge. ${INSTEAD.get_transcript}`,
  input,
  output,
  shows: ['jobId', 'index', 'text', 'nextCursor', 'chargedUsd'],
  // It answers with a text, and orders it where the account does not have it.
  needs: ['jobs:write', 'transcripts:read'],
  hints: { ...READS, readOnlyHint: false, openWorldHint: true },
  async run(asked, call, ctx) {
    // Every form of an address is ordered as the id: calls for one video meet in one job.
    const video = await videoIn(asked.video)
    const owned = await ownedPage(ctx, { ...asked, video }, call)
    return owned ?? orderAndRead(ctx, { ...asked, video }, call)
  },
})

/**
 * Returns the page of a text that the account owns; null where it has none. A text in another language than the wished
 * one counts, too: whether captions in that exist is not known before they are paid for.
 */
async function ownedPage(
  ctx: ApiContext,
  asked: Input,
  { accountId }: AgentCall,
): Promise<Answer | null> {
  const { video, language = ORIGINAL } = asked
  const find = async (wish: string) =>
    (
      await findOwned(ctx.db, { accountId, language: wish, wishedTrack: null, videoIds: [video] })
    ).get(video)
  const wished = await find(language)
  const text = wished ?? (await find(ORIGINAL))
  if (text === undefined) return null
  const { jobId, index, languageCode } = text
  const row = { accountId, jobId, index }
  const notices =
    wished === undefined
      ? [`It is in ${languageCode}, not ${language}. ${buyInLanguage(video, language)}`]
      : []
  const page = await readTextPage(ctx, row, asked)
  return page === null ? null : paidPage(page, { asked, paid: FREE, languageCode, notices })
}

/** Returns the id of the one video that the text names; throws where it names anything else. */
async function videoIn(video: string): Promise<string> {
  if (!hasVisible(video)) refuseField('video', 'video is blank; send the URL or id of one video.')
  const { length: count } = (await inTurns(readingUrlSet(video))).lines
  if (count !== 1) refuseField('video', takesOneLine(count))
  const { lines } = await readJobOrder({ urls: video })
  const source = lines[0]?.source
  if (source?.kind === 'video') return source.videoId
  return refuseField('video', namesAList(source?.kind === 'playlist' ? 'playlist' : 'channel'))
}

/** What was charged for a text, and what is left; null where nothing was asked of the balance. */
type Paid = { chargedMicros: bigint; leftMicros: bigint | null }
const FREE: Paid = { chargedMicros: 0n, leftMicros: null }

type Told = { asked: Input; paid: Paid; languageCode: string | null; notices: string[] }

/** Returns the page with what was paid, where the text is, and how to go on. */
function paidPage(page: AnsweredPage, { asked, paid, languageCode, notices }: Told): Answer {
  const { jobId, index, nextCursor } = page
  const { chargedMicros, leftMicros } = paid
  const where = `jobId ${jobId}, index ${index}`
  const language = languageCode === null ? '' : `, language ${languageCode}`
  const price =
    leftMicros === null
      ? 'Yours already, free of charge'
      : `Bought for ${dollars(chargedMicros)}, ${dollars(leftMicros)} is left`
  // A cursor counts in one form only.
  const form = asked.words === true ? 'words' : asked.timestamps === true ? 'timestamps' : null
  const timed = form === null ? '' : `, ${form} true`
  const next = nextCursor === null ? null : readOn(where, nextCursor, timed)
  const all = [...notices, ...(page.notices ?? [])]
  const known = { languageCode, balanceUsd: leftMicros === null ? null : formatUsd(leftMicros) }
  return textPageAnswer(page, {
    lines: [`${price}: ${where}${language}.`, ...(next === null ? [] : [next]), ...notices],
    more: {
      chargedUsd: formatUsd(chargedMicros),
      ...withoutNulls({ ...known, next }),
      ...(all.length === 0 ? {} : { notices: all }),
    },
  })
}

/** Orders the video by itself, or joins the job that does, waits for it, and answers with what came of it. */
async function orderAndRead(ctx: ApiContext, asked: Input, call: AgentCall): Promise<Answer> {
  const { video, language, waitSeconds: seconds = LIMITS.agentWaitSeconds } = asked
  const order = { urls: [video], maxVideos: 1, ...(language === undefined ? {} : { language }) }
  const started = await startOrJoin(ctx, order, call)
  if ('content' in started) return started
  const job = await jobAfterWait(ctx, started.job, { seconds, call })
  if (!isFinal(job.state)) return answerOfJob(ctx, job, AFTER_VIDEO.running)
  const { rows } = await readResults(ctx.db, job, { offset: 0, limit: 1, filter: null })
  const [row] = rows
  if (row === undefined) return answerOfJob(ctx, job, AFTER_VIDEO.endedEarly)

  const at = { accountId: call.accountId, jobId: job.id, index: row.index }
  const page = await readTextPage(ctx, at, asked)
  if (page === null) return jsonAnswer({ ...outcomeOf(job, row), next: nextOf(row) })
  const { languageCode, label } = row
  // The label says where another language was delivered than the one that was asked for.
  const notices = [...(label === DELIVERED ? [] : [`${label}.`]), ...started.notices]
  return paidPage(page, { asked, paid: await paidFor(ctx, job), languageCode, notices })
}

const DELIVERED = 'Delivered'

async function answerOfJob({ db }: ApiContext, job: JobRecord, next: string): Promise<Answer> {
  return jsonAnswer({ ...(await summaryOf(db, job)), next })
}

async function paidFor({ db }: ApiContext, job: JobRecord): Promise<Paid> {
  const chargedMicros = job.chargedMicros ?? 0n
  if (chargedMicros === 0n) return FREE
  return { chargedMicros, leftMicros: (await readBalance(db, job.accountId)).availableMicros }
}

function outcomeOf({ id: jobId, chargedMicros }: JobRecord, row: FinishedRow) {
  const { index, videoId, title, status, label, errorMessage } = row
  const known = { videoId, title, status, label, errorMessage }
  return { jobId, index, ...withoutNulls(known), chargedUsd: formatUsd(chargedMicros ?? 0n) }
}

/** Returns whether another call helps. */
function nextOf({ status, label }: FinishedRow): string {
  switch (label.endsWith(BY_ONE_APP) ? 'failed' : status) {
    case 'no_captions':
      return 'Captions may come hours or days after a video: the same call asks again then.'
    case 'language_not_available':
      return AFTER_VIDEO.otherLanguage
    case 'private':
    case 'unavailable':
      return 'The same call helps only once the platform shows the video to everybody.'
    case 'blocked_suspect':
    case 'failed':
      return 'The video itself may be fine: the same call again often helps.'
    default:
      return AFTER_VIDEO.notKept
  }
}

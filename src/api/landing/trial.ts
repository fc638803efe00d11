/**
 * POST /trial and GET /trial/{id}: the first minutes of one video for a visitor without an account, as pages without a
 * script.
 */
import { counted } from '../../kit/text/counted.ts'
import { type FastifyPluginAsyncTypebox, Type } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { limitStranger } from '../../features/accounts/attempt-limits.ts'
import { parseUsd } from '../../model/money/money.ts'
import { inTurns } from '../../kit/concurrency.ts'
import { readFormBodies } from '../../kit/http/body.ts'
import type { Markup } from './page.ts'
import {
  isTrialOffered,
  renderNoVideo,
  renderTrial,
  renderTrialNews,
  renderTrialWait,
  type TrialNews,
} from './trial-page.ts'
import { readingUrlSet } from '../../model/jobs/url-set.ts'
import { SENTENCES } from '../../model/platform/source-refusals.ts'
import { Problem } from '../../kit/problem.ts'
import { readPreview, startTrial, trialOf } from '../../features/previews/previews.ts'
import type { ApiContext } from '../api-context.ts'
import { sendWritten } from '../send.ts'

/** Seconds after which a page that waits asks again. */
const TRIAL_LOOK_SECONDS = 1

const hidden = { hide: true }
const form = Type.Object({ video: Type.Optional(Type.String()) })
const params = Type.Object({ id: Type.String({ pattern: '^trl_[0-9a-f]{32}$' }) })

/** Routes of trials; none where the operator switched them off. `bodyMs` is how long a body may take to arrive. */
export function trialRoutes(ctx: ApiContext, bodyMs: number): FastifyPluginAsyncTypebox {
  return async (app) => {
    readFormBodies(app, bodyMs)
    app.addHook('onRequest', async () => {
      if (!isTrialOffered(ctx.config))
        throw new Problem('not_found', { message: 'There is no such page.' })
    })
    const config = { takesNoSecret: true }
    app.post('/trial', { schema: { ...hidden, form }, config }, async (request, reply) => {
      refuseOtherSites(request)
      return tryIt(ctx, request, reply)
    })
    app.get('/trial/:id', { schema: { ...hidden, params } }, async (request, reply) => {
      await limitStranger(ctx.pool, request)
      const owned = { accountId: null, previewId: request.params.id }
      const preview = await readPreview(ctx.db, owned)
      if (preview === null) return sendPage(ctx, reply.code(404), { body: renderTrialNews(GONE) })
      const [videoId = ''] = preview.urls
      const finding = trialOf(preview)
      if (finding === null) {
        const body = renderTrialWait(videoId)
        return sendPage(ctx, reply, { body, refreshSeconds: TRIAL_LOOK_SECONDS })
      }
      const { SIGN_UP, WELCOME_CREDIT_USD } = ctx.config
      const welcomeMicros = parseUsd(WELCOME_CREDIT_USD) ?? 0n
      const facts = { isSignUpOpen: SIGN_UP === 'open', welcomeMicros }
      return sendPage(ctx, reply, { body: renderTrial({ videoId, finding }, facts) })
    })
  }
}

const GONE: TrialNews = {
  title: 'No longer here',
  sentence: 'Trials are kept for a day. Paste the video again to read it once more.',
}

/**
 * Refuses forms on other sites, which could use up what their visitors may try here. Browsers say where a form was;
 * other programs do not.
 */
function refuseOtherSites({ headers }: FastifyRequest): void {
  const site = headers['sec-fetch-site']
  if (site === undefined || site === 'same-origin' || site === 'none') return
  const message = 'Send this form from the page that has it.'
  throw new Problem('invalid_request', { status: 403, message })
}

/** Leads to the trial's page, or says why there is none. */
async function tryIt(
  ctx: ApiContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { db, pool, config, metrics } = ctx
  await limitStranger(pool, request)
  const video = await readVideo(request.body)
  if (video.kind === 'unusable') {
    metrics.trialsAsked.inc({ answer: 'unusable' })
    return sendPage(ctx, reply.code(400), { body: renderNoVideo(video) })
  }
  const deps = { db, perHour: config.TRIALS_PER_HOUR, perDay: config.TRIALS_PER_DAY }
  const asked = { ip: request.ip, videoId: video.videoId }
  const trial = await startTrial(deps, asked).catch(limitedBy)
  metrics.trialsAsked.inc({ answer: trial.kind })
  if ('id' in trial) return reply.redirect(`/trial/${trial.id}`, 303)
  void reply.code(429).header('Retry-After', String(trial.seconds))
  const sentence = `${WHY[trial.kind]} in ${inMinutes(trial.seconds)}; with an account you do not have to wait.`
  return sendPage(ctx, reply, {
    body: renderTrialNews({ title: 'No more trials for now', sentence }),
  })
}

const WHY = {
  full: 'All free trials are taken for now. There is room again',
  limited: 'Your network has used up its free trials. It can try again',
}

/** Returns the limit of the visitor's network; throws any other error. */
function limitedBy(error: unknown): { kind: 'limited'; seconds: number } {
  if (!(error instanceof Problem) || error.code !== 'rate_limited') throw error
  return { kind: 'limited', seconds: Number(error.headers['Retry-After']) }
}

const ONE_VIDEO =
  'This is more than one address, or has other words beside it. With an account a job takes many; here, paste one video only.'

type NamedVideo =
  { kind: 'video'; videoId: string } | { kind: 'unusable'; typed: string; sentence: string }

async function readVideo(body: unknown): Promise<NamedVideo> {
  const text = body instanceof URLSearchParams ? (body.get('video') ?? '') : ''
  const { lines, comments } = await inTurns(readingUrlSet(text))
  const [line, ...others] = lines
  const unusable = (sentence: string) => ({ kind: 'unusable' as const, typed: text, sentence })
  if (others.length > 0) return unusable(ONE_VIDEO)
  if (line === undefined)
    return unusable(comments.length === 0 ? asSentence(SENTENCES.blank) : 'It is a comment.')
  const { reading } = line
  if (reading.kind === 'rejected') return unusable(asSentence(reading.sentence))
  const { source } = reading
  if (source.kind === 'video') return { kind: 'video', videoId: source.videoId }
  return unusable(
    `This is a ${source.kind === 'playlist' ? 'playlist' : 'channel'}. With an account a job takes all of it; here, paste one of its videos.`,
  )
}

/** Returns a clause about a line, "it is a post", as a sentence. */
function asSentence(clause: string): string {
  return `${clause.charAt(0).toUpperCase()}${clause.slice(1)}.`
}

function inMinutes(seconds: number): string {
  const minutes = Math.ceil(seconds / 60)
  if (minutes > 90) return `${Math.ceil(minutes / 60)} hours`
  return counted(minutes, 'minute')
}

function sendPage(
  { config, legal }: ApiContext,
  reply: FastifyReply,
  page: { body: Markup; refreshSeconds?: number },
): FastifyReply {
  return sendWritten(reply, {
    title: 'The first minutes · Scriptorium',
    description: 'The first minutes of a video, read without an account.',
    canonical: null,
    legal,
    isSignUpOpen: config.SIGN_UP === 'open',
    hasStatusPage: config.STATUS_PAGE,
    ...page,
  })
}

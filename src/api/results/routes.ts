/** GET /jobs/{id}/results: a job's finished rows, with text, segments and links. */
import { type FastifyPluginAsyncTypebox, Type } from '@fastify/type-provider-typebox'
import { LIMITS } from '../../config/config.ts'
import { type Item, splice } from '../../features/files/splice.ts'
import { findTexts, formsOfJob } from '../../features/transcripts/read-transcripts.ts'
import { withTextRows } from '../../features/library/text-rows.ts'
import { JSON_TYPE } from '../../kit/http/errors.ts'
import { hasVisible } from '../../kit/text/invisible.ts'
import { isFinal } from '../../model/jobs/job.ts'
import { readResults } from '../../features/jobs/read-jobs.ts'
import { ROW_STATUSES, type RowStatus } from '../../model/jobs/video-row.ts'
import type { RowFilter } from '../../store/video-rows.ts'
import type { ApiContext } from '../api-context.ts'
import { jobOf, READING_JOB } from '../auth.ts'
import { answer, optionalText, pagingOf, readyMade, wordOf } from '../contract.ts'
import { JobId } from '../jobs/schema.ts'
import { ResultsPage } from './schema.ts'
import { presentVideo } from './present.ts'
import { encodingFor, fileRequest, sendBody } from '../send.ts'

const RESULTS_PAGE_MAX = 200

const STATUS_LIST = `^(${ROW_STATUSES.join('|')})(,(${ROW_STATUSES.join('|')}))*$`

const querystring = Type.Object({
  ...pagingOf({ limit: 50, limitMax: RESULTS_PAGE_MAX }),
  view: Type.Optional(
    wordOf(['full', 'rows', 'located'], {
      default: 'full',
      description:
        '`rows` leaves text and segments null; `located` adds `owned` to each row: where its text is, of another order',
    }),
  ),
  include: Type.Optional(
    wordOf(['textRow'], { description: '`textRow`: each row also says which one holds its text' }),
  ),
  status: optionalText({
    pattern: STATUS_LIST,
    description:
      'Only rows with this status, or with one of several separated by commas; `total` counts them',
    examples: ['success'],
  }),
  q: optionalText({
    maxLength: LIMITS.resultsQueryChars,
    pattern: String.raw`^[^\u0000]*$`,
    description: 'Only rows whose title contains this text, ignoring case; `total` counts them',
    examples: ['zoo'],
  }),
})

const schema = {
  summary: 'Read the rows of a job so far; while it runs, a row keeps its place',
  description:
    'Offsets count rows. While the job is running, rows are in order of completion and `complete` is false. Once it ' +
    'is final, they are in order of `index`: when `complete` turns true, start again at offset 0.',
  operationId: 'getResults',
  tags: ['Results'],
  params: Type.Object({ id: JobId }),
  querystring,
  response: {
    200: readyMade(answer(ResultsPage, 'A page of rows, including those without a transcript')),
  },
}

export function resultRoutes(ctx: ApiContext): FastifyPluginAsyncTypebox {
  const { db, links } = ctx
  return async (app) => {
    app.get('/jobs/:id/results', { schema, config: READING_JOB }, async (request, reply) => {
      const { offset = 0, limit = 50, view = 'full', include } = request.query
      const job = jobOf(request)

      const filter = filterOf(request.query)
      const { page, rows } = await readResults(db, job, { offset, limit, filter })
      const withText = view === 'rows' ? [] : rows.filter(({ status }) => status === 'success')
      const texts = await findTexts(db, job.id, withText)
      const isLocated = include !== undefined || view === 'located'
      const located = isLocated ? await withTextRows(db, job, rows) : rows
      const head = {
        id: job.id,
        state: job.state,
        complete: isFinal(job.state),
        ...page,
        downloads: links.downloads(job.id),
      }
      const told = { hasTextRow: include !== undefined, hasOwned: view === 'located' }
      const videos = located.map((row) =>
        presentVideo(row, { job, links, texts: texts.get(row.index) ?? null, ...told }),
      )
      const items = jsonWithArray(head, 'videos', videos)
      reply.type(JSON_TYPE)
      // A page without any text is sent as ordinary JSON.
      if (texts.size === 0)
        return reply.send(Buffer.concat(items.flat().filter((part) => Buffer.isBuffer(part))))
      const to = fileRequest(ctx, { accountId: job.accountId, request, reply })
      const content = splice(items, formsOfJob(to, job.id))
      reply.header('Vary', 'Accept-Encoding')
      const encoding = encodingFor({ isText: true }, request)
      return sendBody(content, encoding, to)
    })
  }
}

const COMMA = Buffer.from(',')
const CLOSE = Buffer.from(']}')

/** Returns `head` as an object with one more field `name`, an array of the ready-made `items`. */
function jsonWithArray(head: object, name: string, items: readonly Item[]): Item[] {
  const open = Buffer.from(`${JSON.stringify(head).slice(0, -1)},${JSON.stringify(name)}:[`)
  const parted = items.map((item, index): Item => (index === 0 ? item : [COMMA, ...item]))
  return [[open], ...parted, [CLOSE]]
}

/** Returns the filter; null where every row is asked for: a blank `q` filters nothing. */
function filterOf({ status, q = '' }: { status?: string; q?: string }): RowFilter | null {
  if (status === undefined && !hasVisible(q)) return null
  return {
    statuses: (status?.split(',') as RowStatus[] | undefined) ?? null,
    title: hasVisible(q) ? q : null,
  }
}

/** GET /account/texts/{id}/{index}: what the account has of a text's video in other tracks, to be read beside it. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { readOtherTexts } from '../../features/library/read-library.ts'
import { found } from '../../kit/problem.ts'
import type { ApiContext } from '../api-context.ts'
import { indexOf, RowParams as params } from '../library/schema.ts'
import { answering, REPLIES } from './replies.ts'
import { visitorOf } from './visitor.ts'

const schema = { ...answering(REPLIES.OtherTexts), params }

export function otherTextRoutes({ db }: ApiContext): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get('/account/texts/:id/:index', { schema }, async (request) => {
      const { id: jobId, index } = request.params
      const { accountId } = visitorOf(request)
      const texts = found(await readOtherTexts(db, { accountId, jobId, index: indexOf(index) }))
      return {
        texts: texts.map(({ deliveredAt, languageCode, trackKind, ...row }) => {
          const key = { jobId: row.jobId, index: row.index }
          return { ...key, languageCode, trackKind, deliveredAt: deliveredAt.toISOString() }
        }),
      }
    })
  }
}

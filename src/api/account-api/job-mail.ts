/** /account/job-mail: whether the account is mailed when one of its jobs is final. */
import { type FastifyPluginAsyncTypebox, Type } from '@fastify/type-provider-typebox'
import type { ApiContext } from '../api-context.ts'
import { changeJobMail, readJobMail } from '../../features/webhooks/webhooks.ts'
import { REPLIES } from './replies.ts'
import { visitorOf } from './visitor.ts'

const getSchema = { hide: true, response: { 200: REPLIES.JobMail } }
const putSchema = {
  ...getSchema,
  body: Type.Object({ isOn: Type.Boolean() }, { additionalProperties: false }),
}

export function jobMailRoutes({ db }: ApiContext): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get('/account/job-mail', { schema: getSchema }, async (request) => {
      return { isOn: await readJobMail(db, visitorOf(request).accountId) }
    })

    app.put('/account/job-mail', { schema: putSchema }, async (request) => {
      const { isOn } = request.body
      await changeJobMail(db, { accountId: visitorOf(request).accountId, isOn })
      return { isOn }
    })
  }
}

/** The public API: every address below API_BASE, in the order in which its document names them. */
import type { FastifyPluginAsync } from 'fastify'
import type { RouteWatch } from '../kit/http/allowed-methods.ts'
import { ignoreUnwantedBody } from '../kit/http/body.ts'
import { requireHost } from '../kit/http/every-answer.ts'
import type { ApiContext } from './api-context.ts'
import { requireKey } from './auth.ts'
import { openApiRoutes } from './routes/documents.ts'
import { balanceRoutes, receiptRoutes } from './routes/money.ts'
import { batchRoutes } from './routes/batches.ts'
import { deliveryRoutes } from './routes/deliveries.ts'
import { eventRoutes } from './routes/events.ts'
import { fileRoutes } from './routes/files.ts'
import { jobRoutes } from './routes/jobs.ts'
import { libraryFileRoutes } from './routes/library-files.ts'
import { libraryRoutes } from './routes/library.ts'
import { mentionRoutes } from './routes/mentions.ts'
import { previewsRoutes } from './routes/previews.ts'
import { projectRoutes } from './routes/projects.ts'
import { resultRoutes } from './routes/results.ts'
import { searchRoutes } from './routes/search.ts'
import { startJobRoutes } from './routes/start-job.ts'
import { subscriptionRoutes } from './routes/subscriptions.ts'
import { videoRowRoutes } from './routes/video-rows.ts'
import { webhookRoutes } from './routes/webhooks.ts'

/** Returns the routes below API_BASE: all behind a key, except the API's own description, of which the bytes are given. */
export function publicApi(
  api: ApiContext,
  routes: RouteWatch,
  description: Buffer,
): FastifyPluginAsync {
  return async (scope) => {
    await scope.register(async (open) => {
      open.addHook('onRequest', requireHost)
      await open.register(openApiRoutes(description))
    })
    await scope.register(async (guarded) => {
      guarded.addHook('onRequest', requireKey(api))
      guarded.addHook('onRequest', requireHost)
      // An address that does not exist is refused before any body is read.
      guarded.addHook('onRequest', (request, _reply, done) => {
        done(request.is404 ? routes.refusalOf(request) : undefined)
      })
      guarded.addHook('preParsing', ignoreUnwantedBody)
      guarded.setNotFoundHandler(routes.refuse)
      await guarded.register(startJobRoutes(api))
      await guarded.register(jobRoutes(api))
      await guarded.register(batchRoutes(api))
      await guarded.register(previewsRoutes(api))
      await guarded.register(eventRoutes(api))
      await guarded.register(resultRoutes(api))
      await guarded.register(fileRoutes(api))
      await guarded.register(libraryRoutes(api))
      await guarded.register(videoRowRoutes(api))
      await guarded.register(libraryFileRoutes(api))
      await guarded.register(projectRoutes(api))
      await guarded.register(balanceRoutes())
      await guarded.register(receiptRoutes(api))
      await guarded.register(subscriptionRoutes(api))
      await guarded.register(webhookRoutes(api))
      await guarded.register(deliveryRoutes(api))
      await guarded.register(searchRoutes(api))
      await guarded.register(mentionRoutes(api))
    })
  }
}

/** The public API: every address below API_BASE, in the order in which its document names them. */
import type { FastifyPluginAsync } from 'fastify'
import type { RouteWatch } from './kit/http/allowed-methods.ts'
import { ignoreUnwantedBody } from './kit/http/body.ts'
import { requireHost } from './kit/http/every-answer.ts'
import type { ApiContext } from './api/api-context.ts'
import { requireKey } from './api/auth.ts'
import { openApiRoutes } from './api/routes/documents.ts'
import { balanceRoutes, receiptRoutes } from './api/routes/money.ts'
import { batchRoutes } from './api/routes/batches.ts'
import { deliveryRoutes } from './api/routes/deliveries.ts'
import { eventRoutes } from './api/routes/events.ts'
import { fileRoutes } from './api/routes/files.ts'
import { jobRoutes } from './api/routes/jobs.ts'
import { libraryFileRoutes } from './api/routes/library-files.ts'
import { libraryRoutes } from './api/routes/library.ts'
import { mentionRoutes } from './api/routes/mentions.ts'
import { previewsRoutes } from './api/routes/previews.ts'
import { projectRoutes } from './api/routes/projects.ts'
import { resultRoutes } from './api/routes/results.ts'
import { searchRoutes } from './api/routes/search.ts'
import { startJobRoutes } from './api/routes/start-job.ts'
import { subscriptionRoutes } from './api/routes/subscriptions.ts'
import { videoRowRoutes } from './api/routes/video-rows.ts'
import { webhookRoutes } from './api/routes/webhooks.ts'

/** Routes below API_BASE: all behind a key, except the API's own description, of which these are the bytes. */
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

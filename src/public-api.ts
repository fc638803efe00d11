/** The public API: every address below API_BASE, in the order in which its document names them. */
import type { FastifyPluginAsync } from 'fastify'
import type { RouteWatch } from './kit/http/allowed-methods.ts'
import { ignoreUnwantedBody } from './kit/http/body.ts'
import { requireHost } from './kit/http/every-answer.ts'
import type { ApiContext } from './api/api-context.ts'
import { requireKey } from './api/auth.ts'
import { openApiRoutes } from './api/documents/routes.ts'
import { balanceRoutes, receiptRoutes } from './api/money/routes.ts'
import { batchFileRoutes } from './api/batches/files.ts'
import { batchRoutes } from './api/batches/routes.ts'
import { deletionRoutes } from './api/library/deletions.ts'
import { deliveryRoutes } from './api/webhooks/deliveries.ts'
import { eventRoutes } from './api/jobs/events.ts'
import { fileRoutes } from './api/files/routes.ts'
import { jobRoutes } from './api/jobs/routes.ts'
import { libraryFileRoutes } from './api/library/files.ts'
import { libraryRoutes } from './api/library/routes.ts'
import { mentionRoutes } from './api/search/mentions.ts'
import { previewsRoutes } from './api/previews/routes.ts'
import { projectRoutes } from './api/projects/routes.ts'
import { resultRoutes } from './api/results/routes.ts'
import { searchRoutes } from './api/search/routes.ts'
import { selectionRoutes } from './api/library/selection.ts'
import { startJobRoutes } from './api/jobs/start-job.ts'
import { subscriptionRoutes } from './api/subscriptions/routes.ts'
import { videoRowRoutes } from './api/library/video-rows.ts'
import { webhookRoutes } from './api/webhooks/routes.ts'

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
      await guarded.register(batchFileRoutes(api))
      await guarded.register(previewsRoutes(api))
      await guarded.register(eventRoutes(api))
      await guarded.register(resultRoutes(api))
      await guarded.register(fileRoutes(api))
      await guarded.register(libraryRoutes(api))
      await guarded.register(videoRowRoutes(api))
      await guarded.register(libraryFileRoutes(api))
      await guarded.register(deletionRoutes(api))
      await guarded.register(selectionRoutes(api))
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

/** POST /mcp: the Model Context Protocol, in both of its eras, with the API's keys and rate limit. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { ApiContext } from '../api/api-context.ts'
import { balanceOf, callerOf, requireKey, requireScope } from '../api/auth.ts'
import { departureOf } from '../api/jobs/order-job.ts'
import { problemOf } from '../kit/http/errors.ts'
import { requireHost } from '../kit/http/every-answer.ts'
import { traceparentOf } from '../kit/trace-context.ts'
import { plainMessage } from './plain-message.ts'
import { needsOf } from './server.ts'

export const MCP_PATH = '/mcp'

/** A message of any form, which the library checks. */
const Message = Type.Unsafe<unknown>({
  properties: { jsonrpc: {}, id: {}, method: {}, params: {} },
})
const schema = { hide: true, body: Message }

export function mcpRoutes(api: ApiContext): FastifyPluginAsyncTypebox {
  return async (scope) => {
    // A quarter of a second in one turn of the event loop: before the first request, and only where it is served.
    const { answerMessage } = await import('./handler.ts')
    scope.addHook('onRequest', requireKey(api, 'mcp'))
    scope.addHook('onRequest', requireHost)
    scope.post(
      MCP_PATH,
      { schema, config: { reads: 'balance', scope: 'by body' } },
      async (request, reply) => {
        const caller = callerOf(request)
        const sent = plainMessage(request.body)
        for (const need of needsOf(sent)) {
          const scope = need === 'everything' ? undefined : need
          requireScope(caller, scope, { publicUrl: api.publicUrl, audience: 'mcp' })
        }
        const departure = departureOf(reply)
        const asked = webRequest(request, api.publicUrl, departure)
        const answer = await answerMessage(asked, sent, {
          ctx: api,
          call: {
            accountId: caller.accountId,
            connectionId: caller.app?.connectionId ?? null,
            ownKey: caller.own,
            balance: balanceOf(request),
            traceparent: traceparentOf(request.headers),
            departure,
          },
          problemOf: (error) => problemOf(error, request),
        })
        const type = answer.headers.get('content-type')
        if (type !== null) reply.type(type)
        return reply.code(answer.status).send(answer.body === null ? null : await answer.text())
      },
    )
  }
}

const PASSED_ON = ['content-type', 'mcp-protocol-version', 'mcp-method', 'mcp-name']

/**
 * Returns the request as the library reads it. Earlier eras demand an `Accept` that names both types; ours is JSON for
 * every client.
 */
function webRequest(
  { headers }: FastifyRequest,
  publicUrl: string,
  departure: AbortSignal,
): Request {
  const sent = PASSED_ON.flatMap((name): [string, string][] => {
    const value = headers[name]
    return value === undefined ? [] : [[name, String(value)]]
  })
  return new Request(publicUrl + MCP_PATH, {
    method: 'POST',
    headers: [['accept', 'application/json, text/event-stream'], ...sent],
    signal: departure,
  })
}

/** GET /openapi.json: the machine-readable description; the only address of the API that needs no key. */
import { createHash } from 'node:crypto'
import { type FastifyPluginAsyncTypebox, Type } from '@fastify/type-provider-typebox'
import { matchesEtag } from '../../kit/http/content.ts'
import { JSON_TYPE } from '../../kit/http/errors.ts'
import { answer, errorAnswer } from '../contract.ts'

const schema = {
  summary: 'Read this document',
  operationId: 'getOpenApi',
  tags: ['Description'],
  security: [],
  response: {
    200: answer(
      Type.Object({ openapi: Type.String() }),
      'The OpenAPI 3.1 document of this interface',
    ),
    304: answer(Type.Null(), 'The document is still the one that If-None-Match names'),
    400: errorAnswer(['invalid_request']),
    500: errorAnswer(['internal_error']),
  },
}

/** Routes of the description. `write` is called once, at the first request: by then every route is known. */
export function openApiRoutes(write: () => object): FastifyPluginAsyncTypebox {
  let made: { body: Buffer; etag: string } | null = null
  const make = (): { body: Buffer; etag: string } => {
    const body = Buffer.from(JSON.stringify(write()))
    return { body, etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"` }
  }
  return async (app) => {
    app.get('/openapi.json', { schema }, async (request, reply) => {
      const { body, etag } = (made ??= make())
      // The tag is weak: the same document also goes out compressed.
      reply.headers({
        ETag: `W/${etag}`,
        'Cache-Control': 'public, no-cache',
        Vary: 'Accept-Encoding',
      })
      if (matchesEtag(request.headers['if-none-match'], etag)) return reply.code(304).send(null)
      return reply.type(JSON_TYPE).send(body as never)
    })
  }
}

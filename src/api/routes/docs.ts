/** GET /docs: an interactive page over /openapi.json, made of our own files only. */
import fs from 'node:fs/promises'
import path from 'node:path'
import type { FastifyPluginAsync } from 'fastify'

const FOLDER = path.join(import.meta.dirname, '../docs')
const FILES = [
  { url: '/docs', name: 'index.html', type: 'text/html; charset=utf-8' },
  { url: '/docs/docs.js', name: 'docs.js', type: 'text/javascript; charset=utf-8' },
  { url: '/docs/docs.css', name: 'docs.css', type: 'text/css; charset=utf-8' },
]
/** Nothing from elsewhere, nothing inline; requests go to this server only. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

export function docsRoutes(): FastifyPluginAsync {
  return async (app) => {
    for (const { url, name, type } of FILES) {
      const content = await fs.readFile(path.join(FOLDER, name))
      app.get(url, { schema: { hide: true } }, async (_request, reply) => {
        reply.headers({
          'Content-Security-Policy': POLICY,
          'Referrer-Policy': 'no-referrer',
          'Cache-Control': 'no-cache',
        })
        return reply.type(type).send(content)
      })
    }
  }
}

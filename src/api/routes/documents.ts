/**
 * GET /llms.txt, /docs.md, /docs/{guide}.md and /SKILL.md: documents for programs that read pages. No key needed. Pages
 * of the website say where these are, and are answered with them where Markdown is asked for.
 */
import type { FastifyPluginAsync } from 'fastify'
import type { PageDocuments } from '../../kit/http/website.ts'
import { indexDocument, referenceDocument, skillDocument } from '../documents.ts'
import { readGuides, withIndex } from '../guides.ts'

export type Documents = {
  routes: FastifyPluginAsync
  /** The documents by the address of the page that they accompany. */
  ofPages: PageDocuments
}

const HEADERS = { 'Access-Control-Allow-Origin': '*', 'Cache-Control': 'no-cache' }
const MARKDOWN = 'text/markdown; charset=utf-8'
const PLAIN = 'text/plain; charset=utf-8'
const INDEX_LINK = '</llms.txt>; rel="describedby"; type="text/plain"'
const API_LINK = '</api/v1/openapi.json>; rel="service-desc"; type="application/json"'

/**
 * Opens the documents. `describe` returns the OpenAPI document; it is called once, when the reference is first
 * requested.
 */
export function openDocuments({
  publicUrl,
  describe,
}: {
  publicUrl: string
  describe: () => Record<string, unknown>
}): Documents {
  const guides = readGuides(publicUrl)
  const index = indexDocument(publicUrl, guides)
  let reference: string | null = null
  const readReference = (): string =>
    (reference ??= withIndex(publicUrl, referenceDocument(describe())))
  const documents = [
    { url: '/llms.txt', type: PLAIN, write: () => index },
    { url: '/SKILL.md', type: MARKDOWN, write: () => skillDocument(publicUrl) },
    { url: '/docs.md', type: MARKDOWN, write: readReference },
    ...guides.map(({ url, text }) => ({ url, type: MARKDOWN, write: () => text })),
  ]
  return {
    async routes(app) {
      for (const { url, type, write } of documents) {
        app.get(url, { schema: { hide: true } }, async (_request, reply) =>
          reply
            .headers({ ...HEADERS, Link: INDEX_LINK })
            .type(type)
            .send(write()),
        )
      }
    },
    ofPages: {
      '/': { link: [INDEX_LINK, API_LINK].join(', '), markdown: () => index },
      '/docs': {
        link: ['</docs.md>; rel="alternate"; type="text/markdown"', INDEX_LINK, API_LINK].join(
          ', ',
        ),
        markdown: readReference,
      },
    },
  }
}

/**
 * What the server gives out about itself: the API as OpenAPI and Markdown, guides, packed clients, and the keys of its
 * receipts.
 */
import { createHash } from 'node:crypto'
import fs from 'node:fs/promises'
import path from 'node:path'
import { type FastifyPluginAsyncTypebox, Type } from '@fastify/type-provider-typebox'
import type { FastifyInstance, FastifyPluginAsync } from 'fastify'
import { openSigner, readPublishedKeys } from '../../features/money/receipts.ts'
import { LIMITS } from '../../config/config.ts'
import { namesHtml } from '../../kit/http/accept.ts'
import { etagOf, matchesEtag } from '../../kit/http/content.ts'
import { JSON_TYPE } from '../../kit/http/errors.ts'
import type { PageDocuments } from '../landing/website.ts'
import { Problem } from '../../kit/problem.ts'
import type { ApiContext } from '../api-context.ts'
import { answer, errorAnswer } from '../contract.ts'
import {
  CATALOG_LINK,
  type DiscoveryParts,
  discoveryDocuments,
  type ServedDocument,
} from './discovery.ts'
import { clientsPage, guidePages, type PackedClient, type SiteParts } from './guide-pages.ts'
import { indexDocument, readChangelog, readGuides, skillDocument, withIndex } from './guides.ts'
import { openToBrowsers } from '../oauth/answers.ts'
import { readReference } from './printed.ts'
import { withAddress } from './served-address.ts'
import { securityContact } from '../site-settings.ts'

// GET /llms.txt, /docs.md, /docs/{guide}.md, /SKILL.md and what discovery.ts writes: documents for programs. No key
// needed.

/** Pages of any site may read these; a kept copy is checked again, so that it matches the server. */
const OPEN_HEADERS = { 'Access-Control-Allow-Origin': '*', 'Cache-Control': 'no-cache' }
const hidden = { schema: { hide: true } }
const MARKDOWN = 'text/markdown; charset=utf-8'
const PLAIN = 'text/plain; charset=utf-8'
const INDEX_LINK = '</llms.txt>; rel="describedby"; type="text/plain"'
const REFERENCE_LINK = '</docs.md>; rel="alternate"; type="text/markdown"'
const API_LINK = '</api/v1/openapi.json>; rel="service-desc"; type="application/json"'

/**
 * Returns the routes of the documents, the documents by the address of the page that they accompany, which is answered
 * with them where Markdown is asked for, and the pages of the guides with their addresses.
 */
export function openDocuments(parts: DiscoveryParts): {
  routes: FastifyPluginAsync
  ofPages: PageDocuments
  pages(site: SiteParts): FastifyPluginAsync
  paths: string[]
} {
  const { publicUrl } = parts
  const guides = readGuides(publicUrl)
  const changelog = readChangelog(publicUrl)
  const told = changelog === null ? guides : [...guides, changelog]
  const index = indexDocument(publicUrl, told)
  const reference = withIndex(publicUrl, readReference(publicUrl))
  const documents: ServedDocument[] = [
    { url: '/llms.txt', type: PLAIN, text: index },
    { url: '/SKILL.md', type: MARKDOWN, text: skillDocument(publicUrl) },
    { url: '/docs.md', type: MARKDOWN, text: reference },
    ...told.map(({ url, text }) => ({ url, type: MARKDOWN, text })),
    ...discoveryDocuments(parts),
  ]
  const ofPage = [INDEX_LINK, API_LINK, CATALOG_LINK]
  const ofReference = {
    link: [REFERENCE_LINK, ...ofPage].join(', '),
    markdown: () => reference,
  }
  return {
    async routes(app) {
      for (const one of documents) serveDocument(app, one)
    },
    ofPages: {
      '/': { link: ofPage.join(', '), markdown: () => index },
      '/docs': ofReference,
      '/docs/api/:group': ofReference,
    },
    pages: (site) => guidePages(site, { guides, changelog }),
    paths: ['/guides', ...told.map(({ page }) => page)],
  }
}

/** Returns the entity tag of a document, in a few characters. */
function tagOf(document: string | Buffer): string {
  return `"${createHash('sha256').update(document).digest('base64url').slice(0, 22)}"`
}

function serveDocument(app: FastifyInstance, document: ServedDocument): void {
  const { url, type, link = INDEX_LINK, text } = document
  const etag = tagOf(text)
  openToBrowsers(app, url)
  app.get(url, hidden, async (request, reply) => {
    // The tag is weak: the same document may also go out compressed.
    reply.headers({ ...OPEN_HEADERS, Link: link, ETag: `W/${etag}` })
    if (matchesEtag(request.headers['if-none-match'], etag)) return reply.code(304).send()
    // Bytes, since the framework adds a charset to text, which these types do not have.
    return reply.type(type).send(Buffer.from(text))
  })
}

// GET /openapi.json: the machine-readable description; the only address of the API that needs no key.

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

/** Routes of the description, of which these are the bytes. */
export function openApiRoutes(description: Buffer): FastifyPluginAsyncTypebox {
  const etag = tagOf(description)
  return async (app) => {
    app.get('/openapi.json', { schema }, async (request, reply) => {
      // The tag is weak: the same document also goes out compressed.
      reply.headers({
        ETag: `W/${etag}`,
        'Cache-Control': 'public, no-cache',
        Vary: 'Accept-Encoding',
      })
      if (matchesEtag(request.headers['if-none-match'], etag)) return reply.code(304).send(null)
      return reply.type(JSON_TYPE).send(description as never)
    })
  }
}

// GET /clients/: the clients of this version, packed for npm, pip and copying, with their checksums; a page for those
// who name HTML. No key needed.

/** The folder that `npm run pack:clients` fills, with a list of its files. */
const PACKED = path.join(import.meta.dirname, '../../../clients/dist')
const TYPES: Record<string, string> = {
  '.tgz': 'application/gzip',
  '.whl': 'application/zip',
  '.js': 'text/javascript; charset=utf-8',
  '.py': 'text/x-python; charset=utf-8',
}

/**
 * Routes of the clients, each with this server's address where it has a place for one, and then also as it is
 * published. Where nothing was packed the list is empty: the API works without clients.
 */
export function clientRoutes(site: SiteParts): FastifyPluginAsync {
  const { publicUrl } = site
  return async (app) => {
    const served = (
      await Promise.all(
        (await readPackedClients()).map(async (client) => {
          const content = await fs.readFile(path.join(PACKED, client.file))
          const untouched = { ...client, content }
          const ours = client.file.endsWith('.tgz')
            ? await withAddress(content, publicUrl)
            : content
          if (ours === content) return [untouched]
          const sha256 = createHash('sha256').update(ours).digest('hex')
          // The first is installed from here; the second is what the registry has, for those who compare.
          return [
            { ...client, sha256, content: ours },
            { ...untouched, file: `as-published/${client.file}` },
          ]
        }),
      )
    ).flat()
    const clients: PackedClient[] = served.map(({ content, ...client }) => ({
      ...client,
      bytes: content.length,
    }))
    for (const url of ['/clients', '/clients/']) {
      app.get(url, hidden, (request, reply) =>
        namesHtml(request.headers.accept)
          ? clientsPage(reply, site, clients)
          : reply
              .headers({ ...OPEN_HEADERS, Vary: 'Accept, Accept-Encoding' })
              .type(JSON_TYPE)
              .send(JSON.stringify(clients)),
      )
    }
    for (const { file, sha256, content } of served) {
      const etag = etagOf(sha256, 'identity')
      app.get(`/clients/${file}`, hidden, (request, reply) => {
        reply.headers({ ...OPEN_HEADERS, ETag: etag })
        if (matchesEtag(request.headers['if-none-match'], etag)) return reply.code(304).send()
        return reply.type(TYPES[path.extname(file)] ?? 'application/octet-stream').send(content)
      })
    }
  }
}

/** Returns the file of the command line; null where it was not packed. */
export async function findCommandFile(): Promise<string | null> {
  const clients = await readPackedClients()
  return clients.find(({ name }) => name === '@scriptorium/cli')?.file ?? null
}

async function readPackedClients(): Promise<PackedClient[]> {
  try {
    return JSON.parse(await fs.readFile(path.join(PACKED, 'list.json'), 'utf8')) as PackedClient[]
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
}

// GET /.well-known/scriptorium-keys.json: every public key that ever signed a receipt; and security.txt. No key needed.

export function wellKnownRoutes({ db, config, publicUrl, now }: ApiContext): FastifyPluginAsync {
  const contact = securityContact(config, { publicUrl, now: now() })
  const signer = openSigner(db, config.RECEIPT_SIGNING_KEY)
  return async (app) => {
    app.get('/.well-known/scriptorium-keys.json', hidden, async (_request, reply) => {
      reply
        .header('Cache-Control', `public, max-age=${LIMITS.publicKeysKeptSeconds}`)
        .header('Access-Control-Allow-Origin', '*')
      return { keys: await readPublishedKeys(db, signer) }
    })
    if (contact === null) return
    app.get('/.well-known/security.txt', hidden, async (_request, reply) => {
      if (contact.expiresAt <= now()) throw new Problem('not_found')
      return reply.type('text/plain; charset=utf-8').send(contact.text)
    })
  }
}

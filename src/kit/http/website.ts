/**
 * The website: the built files of web/dist. Files with a hash in their name are kept for ever, the
 * page itself never; every address of the site is the same page, which draws what the address says.
 */
import fs from 'node:fs'
import path from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { acceptedEncoding, prefersMarkdown } from './accept.ts'

const DIST = path.join(import.meta.dirname, '../../../web/dist')
const FOR_EVER = 'public, max-age=31536000, immutable'
/** What the build leaves beside a file: the same, compressed (web/precompress.ts). */
const COMPRESSED = /\.(br|gz)$/
const PAGE = 'index.html'
const MARKDOWN = 'text/markdown; charset=utf-8'
/**
 * Nothing but our own files: no inline script or style, and no other hosts but the one that has the stills of
 * videos, which are drawn without a referrer (docs/decisions/0025-previews.md), and that of the player.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: https://i.ytimg.com",
  "font-src 'self'",
  "connect-src 'self'",
  // The player beside a transcript, which only a click loads (docs/decisions/0036-the-reader.md).
  'frame-src https://www.youtube-nocookie.com',
  "manifest-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')
const SECURITY = {
  'Content-Security-Policy': POLICY,
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Permissions-Policy':
    'camera=(), microphone=(), geolocation=(), publickey-credentials-get=(self), publickey-credentials-create=(self)',
}
/** Addresses of pages; what follows them is the page's own matter. */
const PAGES = [
  '/sign-in',
  '/sign-up',
  '/forgot',
  '/reset',
  '/verify',
  '/confirm-address',
  '/keep-address',
  '/new',
  '/library',
  '/library/:id',
  '/jobs',
  '/jobs/:id',
  '/jobs/:id/:index',
  '/account',
  '/money',
  '/receipts/:id',
  '/consent',
  '/device',
  '/developers',
  '/docs',
  '/following',
  '/operator',
  '/operator/:part',
  '/search',
  '/status',
  '/webhooks',
  '/webhooks/:id(^whk_\\w{1,40}$)',
]

/** Of a page, by its address: where its documents are, and what it is as Markdown. */
export type PageDocuments = Record<string, { link: string; markdown(): string }>

export type Website = {
  /** For the not-found handler: the page where a browser opened no address of ours, else null. */
  answerUnknown(request: FastifyRequest, reply: FastifyReply): FastifyReply | null
  /** The page that draws what the address says; null where the site was not built. */
  sendPage(request: FastifyRequest, reply: FastifyReply): FastifyReply | null
  /** The page as Markdown where that is preferred, else null; says where the page's documents are in any case. */
  sendDocument(request: FastifyRequest, reply: FastifyReply): FastifyReply | null
}

/** Serves the site, or nothing at all where it was not built; pages `without` are not there. */
export async function openWebsite(
  app: FastifyInstance,
  publicUrl: string,
  {
    folder = DIST,
    documents = {},
    without = [],
  }: { folder?: string; documents?: PageDocuments; without?: readonly string[] } = {},
): Promise<Website> {
  const files = filesIn(folder)
  if (!files.includes(PAGE))
    return { answerUnknown: () => null, sendPage: () => null, sendDocument: () => null }

  await app.register(fastifyStatic, {
    root: folder,
    serve: false, // addresses are registered below; of the library we use the sending
    preCompressed: true,
    cacheControl: false,
  })
  for (const file of files.filter((name) => name !== PAGE)) {
    app.get(`/${file}`, { schema: { hide: true } }, (request, reply) => send(file, request, reply))
  }
  const sendPage: Website['sendPage'] = (request, reply) => {
    const elsewhere = otherName(request, publicUrl)
    return elsewhere === null ? send(PAGE, request, reply) : reply.redirect(elsewhere, 302)
  }
  const sendDocument: Website['sendDocument'] = (request, reply) => {
    const document = documents[request.routeOptions.url ?? '']
    if (document === undefined) return null
    reply.header('Link', document.link).header('Vary', 'Accept, Accept-Encoding')
    if (!prefersMarkdown(request.headers.accept)) return null
    return reply.headers(SECURITY).type(MARKDOWN).send(document.markdown())
  }
  for (const address of PAGES.filter((page) => !without.includes(page)))
    app.get(
      address,
      { schema: { hide: true } },
      (request, reply) => sendDocument(request, reply) ?? sendPage(request, reply),
    )
  return {
    sendPage,
    sendDocument,
    answerUnknown: (request, reply) =>
      wantsPage(request) ? send(PAGE, request, reply.code(404)) : null,
  }
}

/** Addresses of the API and of files are no pages, whatever a browser accepts. */
function wantsPage({ method, url, headers }: FastifyRequest): boolean {
  const acceptsPage = headers.accept?.includes('text/html') === true
  return acceptsPage && method === 'GET' && !/^\/(?:api|account|mcp|clients|oauth)\//.test(url)
}

function send(file: string, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  // The library's own reading may choose what `*` or a weight of zero refuses: it gets one answer.
  const encoding = acceptedEncoding(request.headers['accept-encoding'], ['br', 'gzip'])
  request.headers['accept-encoding'] = encoding ?? 'identity'
  const isPage = file === PAGE
  return reply
    .headers({ ...SECURITY, 'Cache-Control': isPage ? 'no-store' : cacheOf(file) })
    .sendFile(file, isPage ? { etag: false, lastModified: false, acceptRanges: false } : {})
}

function cacheOf(file: string): string {
  return file.startsWith('assets/') ? FOR_EVER : 'public, max-age=3600'
}

/**
 * Sign-in works under one name only. Who opens this machine by its number is led to the name, as
 * both are this machine for certain; any other name is left alone, a proxy may have put it there.
 */
function otherName(request: FastifyRequest, publicUrl: string): string | null {
  const { hostname, origin } = new URL(publicUrl)
  const isNumber = /^(?:127\.0\.0\.1|\[::1\])$/.test(request.hostname)
  return isNumber && hostname === 'localhost' ? `${origin}${request.url}` : null
}

/** All files of the site by their path, `assets/index-abc.js`; none where there is no folder. */
function filesIn(folder: string): string[] {
  if (!fs.existsSync(folder)) return []
  return fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !COMPRESSED.test(entry.name))
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .map((name) => name.split(path.sep).join('/'))
}

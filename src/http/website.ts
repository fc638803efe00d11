/**
 * The website: the built files of web/dist. Files with a hash in their name are kept for ever, the
 * page itself never; every address of the site is the same page, which draws what the address says.
 */
import { createHash } from 'node:crypto'
import fs from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'

const DIST = path.join(import.meta.dirname, '../../web/dist')
const FOR_EVER = 'public, max-age=31536000, immutable'
const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
  '.json': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
}
/** Nothing but our own files: no inline script or style, no frame, no other host. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
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
  '/',
  '/sign-in',
  '/sign-up',
  '/forgot',
  '/reset',
  '/verify',
  '/new',
  '/jobs',
  '/jobs/:id',
  '/jobs/:id/:index',
  '/account',
  '/developers',
]

type SiteBytes = { etag: string; plain: Buffer; br: Buffer | null; gzip: Buffer | null }
/** Read and compressed at the first request for it, then kept. */
type SiteFile = { type: string; bytes(): Promise<SiteBytes> }

/** Serves the site, or nothing at all where it was not built. */
export function website(publicUrl: string, folder = DIST): FastifyPluginAsync {
  return async (app) => {
    const files = await readSite(folder)
    const page = files.get('/index.html')
    if (page === undefined) return

    for (const [address, file] of files) {
      if (address === '/index.html') continue
      const cache = address.startsWith('/assets/') ? FOR_EVER : 'public, max-age=3600'
      app.get(address, { schema: { hide: true } }, (request, reply) =>
        send(file, cache, request, reply),
      )
    }
    for (const address of PAGES) {
      app.get(address, { schema: { hide: true } }, (request, reply) => {
        const elsewhere = otherName(request, publicUrl)
        if (elsewhere !== null) return reply.redirect(elsewhere, 302)
        return send(page, 'no-store', request, reply)
      })
    }
    answerUnknownPages(app, page)
  }
}

/** A browser that opens an address we do not know gets the page, which says so. */
const pages = new WeakMap<object, SiteFile>()

function answerUnknownPages(app: FastifyInstance, page: SiteFile): void {
  pages.set(app.server, page)
}

/** For the application's not-found handler: the page where a browser opened no address of ours, else null. */
export function notFoundPage(
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> | null {
  const page = pages.get(request.server.server)
  const wantsPage = request.headers.accept?.includes('text/html') === true
  const isPage =
    wantsPage && request.method === 'GET' && !/^\/(?:api|account|mcp)\//.test(request.url)
  return page === undefined || !isPage ? null : send(page, 'no-store', request, reply.code(404))
}

async function send(
  { type, bytes }: SiteFile,
  cache: string,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { etag, plain, br, gzip } = await bytes()
  reply.headers({ ...SECURITY, 'Cache-Control': cache, ETag: etag, Vary: 'Accept-Encoding' })
  if (request.headers['if-none-match'] === etag && reply.statusCode === 200)
    return reply.code(304).send()
  const accepted = String(request.headers['accept-encoding'] ?? '')
  reply.type(type)
  if (br !== null && /\bbr\b/.test(accepted)) return reply.header('Content-Encoding', 'br').send(br)
  if (gzip !== null && /\bgzip\b/.test(accepted))
    return reply.header('Content-Encoding', 'gzip').send(gzip)
  return reply.send(plain)
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

/** All files of the site by their address. */
async function readSite(folder: string): Promise<Map<string, SiteFile>> {
  const names = await fs.readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  return new Map(
    names
      .filter((entry) => entry.isFile())
      .map((entry) => {
        const file = path.join(entry.parentPath, entry.name)
        const address = `/${path.relative(folder, file).split(path.sep).join('/')}`
        const ending = path.extname(file)
        let bytes: Promise<SiteBytes> | null = null
        const type = TYPES[ending] ?? 'application/octet-stream'
        return [address, { type, bytes: () => (bytes ??= readBytes(file, TEXTS.has(ending))) }]
      }),
  )
}

const TEXTS = new Set(['.html', '.js', '.css', '.svg', '.json', '.webmanifest'])
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }
const brotliOf = promisify(brotliCompress)
const gzipOf = promisify(gzip)

async function readBytes(file: string, isText: boolean): Promise<SiteBytes> {
  const plain = await fs.readFile(file)
  return {
    etag: `"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`,
    plain,
    br: isText ? await brotliOf(plain, BROTLI) : null,
    gzip: isText ? await gzipOf(plain) : null,
  }
}

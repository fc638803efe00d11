/**
 * The website: the built files of web/dist. Files with a hash in their name may be cached for ever, the page itself
 * never. Every address of the site serves the same page, which draws what its address says.
 */
import { randomInt } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { acceptedEncoding, namesHtml, prefersMarkdown } from '../../kit/http/accept.ts'

const DIST = path.join(import.meta.dirname, '../../../web/dist')
const FOR_EVER = 'public, max-age=31536000, immutable'
/** The compressed copies that the build leaves beside each file (web/precompress.ts). */
const COMPRESSED = /\.(br|gz)$/
const PAGE = 'index.html'
const ASSETS = 'assets/'
/**
 * How often a request for a file of another release is sent on to its own address: while processes are replaced one by
 * one, the balancer gives it to one that has the file. Browsers follow twenty.
 */
const SENT_ON_MAX = 16
/** The longest wait before: without it, a page's requests might come to the same process again, turn by turn. */
const SENT_ON_MS = 50
/** The names that the build gives to files by their content. */
const HASHED = String.raw`^[\w.-]+-[\w-]{8}\.\w+$`
const MARKDOWN = 'text/markdown; charset=utf-8'
/**
 * Allows only the site's own files: no inline scripts or styles, and no other hosts, except the one with videos'
 * stills, which are drawn without a referrer, and the player's. A proxy of our own would open what others name.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: https://i.ytimg.com",
  "font-src 'self'",
  "connect-src 'self'",
  // The player beside a transcript is loaded only after a click (docs/decisions/0024-search.md).
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
/** The addresses of pages; the page reads what follows them itself. */
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
  '/settings/:part',
  '/money',
  '/receipts/:id',
  '/consent',
  '/device',
  '/developers',
  '/docs',
  '/docs/api/:group',
  '/following',
  '/batches/:id',
  '/billing',
  '/operator',
  '/operator/:part',
  '/search',
  '/status',
  '/webhooks',
  '/webhooks/:id(^whk_\\w{1,40}$)',
]

/** The documents of each page, by its address: the link to them, and the page as Markdown. */
export type PageDocuments = Record<string, { link: string; markdown(): string | Promise<string> }>

export type Website = {
  /** Answers with the page where a browser opened an unknown address, otherwise returns null. */
  answerUnknown(request: FastifyRequest, reply: FastifyReply): FastifyReply | null
  /** Sends the page that draws what the address says; returns null where the site was not built. */
  sendPage(request: FastifyRequest, reply: FastifyReply): FastifyReply | null
  /** Sets the link to the page's documents. Sends it as Markdown where that is preferred, otherwise returns null. */
  sendDocument(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> | null
}

/** Serves the site, or nothing where it was not built; the pages in `without` are not served. */
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
    serve: false, // addresses are registered below; the library only sends files
    preCompressed: true,
    cacheControl: false,
  })
  // A service that goes on while the next release is built in its folder has those files, and no more its own.
  const sendIfThere = (file: string, request: FastifyRequest, reply: FastifyReply) =>
    fs.existsSync(path.join(folder, file)) ? send(file, request, reply) : sendOn(request, reply)
  for (const file of files.filter((name) => name !== PAGE))
    app.get(`/${file}`, { schema: { hide: true } }, (request, reply) =>
      sendIfThere(file, request, reply),
    )
  app.get<{ Params: { name: string } }>(
    `/${ASSETS}:name(${HASHED})`,
    { schema: { hide: true } },
    (request, reply) => sendIfThere(ASSETS + request.params.name, request, reply),
  )
  const sendPage: Website['sendPage'] = (request, reply) => {
    const elsewhere = otherName(request, publicUrl)
    return elsewhere === null ? send(PAGE, request, reply) : reply.redirect(elsewhere, 302)
  }
  const sendDocument: Website['sendDocument'] = (request, reply) => {
    const document = documents[request.routeOptions.url ?? '']
    if (document === undefined) return null
    reply.header('Link', document.link).header('Vary', 'Accept, Accept-Encoding')
    if (!prefersMarkdown(request.headers.accept)) return null
    return Promise.resolve(document.markdown()).then((markdown) =>
      reply.headers(SECURITY).type(MARKDOWN).send(markdown),
    )
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

/** Whether a browser wants the page; addresses of the API and of files are never pages. */
function wantsPage({ method, url, headers }: FastifyRequest): boolean {
  return (
    namesHtml(headers.accept) &&
    method === 'GET' &&
    !/^\/(?:api|account|mcp|clients|oauth)\//.test(url)
  )
}

/** Sends a request for a file that this release has not on, in the hope of a process that has it. */
async function sendOn({ url }: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | void> {
  const [address = '', query] = url.split('?')
  const times = Number(/^sentOn=(\d{1,2})$/.exec(query ?? 'sentOn=0')?.[1] ?? SENT_ON_MAX)
  reply.header('Cache-Control', 'no-store')
  if (times >= SENT_ON_MAX) return reply.callNotFound()
  await sleep(randomInt(SENT_ON_MS))
  return reply.redirect(`${address}?sentOn=${times + 1}`, 307)
}

function send(file: string, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  // The library's own reading might choose an encoding that `*` or a weight of zero refuses, so it gets the one chosen
  // here.
  const encoding = acceptedEncoding(request.headers['accept-encoding'], ['br', 'gzip'])
  request.headers['accept-encoding'] = encoding ?? 'identity'
  const isPage = file === PAGE
  return reply
    .headers({ ...SECURITY, 'Cache-Control': isPage ? 'no-store' : cacheOf(file) })
    .sendFile(file, isPage ? { etag: false, lastModified: false, acceptRanges: false } : {})
}

function cacheOf(file: string): string {
  return file.startsWith(ASSETS) ? FOR_EVER : 'public, max-age=3600'
}

/**
 * Returns where to redirect a browser that opened this machine by its loopback address, since sign-in works under one
 * name only and both are surely this machine; otherwise null. Any other name is left alone, since a proxy may have set
 * it.
 */
function otherName(request: FastifyRequest, publicUrl: string): string | null {
  const { hostname, origin } = new URL(publicUrl)
  const isNumber = /^(?:127\.0\.0\.1|\[::1\])$/.test(request.hostname)
  return isNumber && hostname === 'localhost' ? `${origin}${request.url}` : null
}

/** Returns the paths of all files of the site, such as `assets/index-abc.js`; empty where there is no folder. */
function filesIn(folder: string): string[] {
  if (!fs.existsSync(folder)) return []
  return fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !COMPRESSED.test(entry.name))
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .map((name) => name.split(path.sep).join('/'))
}

/**
 * GET /, /welcome, the legal pages, /robots.txt and /sitemap.xml: what visitors without an account and search engines
 * read.
 */
import { type FastifyPluginAsyncTypebox, Type } from '@fastify/type-provider-typebox'
import type { FastifyReply } from 'fastify'
import { parseUsd } from '../../model/money/money.ts'
import type { Config } from '../../config/config.ts'
import type { Website } from './website.ts'
import { CALCULATOR, LANDING_DESCRIPTION, LANDING_TITLE, renderLanding } from './landing.ts'
import { html } from './page.ts'
import { renderProse } from './prose.ts'
import { type LegalPage, publishedOf } from '../site-settings.ts'
import { optionalInteger } from '../contract.ts'
import { isTrialOffered } from './trial-page.ts'
import { sendWritten } from '../send.ts'

type LandingParts = {
  config: Config
  publicUrl: string
  site: Website
  legal: readonly LegalPage[]
  /** Addresses of further pages that search engines may find. */
  pages?: readonly string[]
  /** The file of the command line in /clients/; null where it was not packed. */
  commandFile: string | null
}

const TEMPLATE_NOTE = html`<p class="note">
  <strong>This is a template.</strong> The operator of this server has not published a text of their
  own (setting <code>LEGAL_DIR</code>), and nothing here binds anybody.
</p>`

/** The session's cookie; its name begins with `__Host-` behind https. */
const SESSION_COOKIE = /(?:^|; *)(?:__Host-)?scriptorium\.session_token=/
const hidden = { schema: { hide: true } }

export function landingRoutes(parts: LandingParts): FastifyPluginAsyncTypebox {
  const { config, publicUrl, site, legal, pages = [], commandFile } = parts
  const isSignUpOpen = config.SIGN_UP === 'open'
  const common = { legal, isSignUpOpen, hasStatusPage: config.STATUS_PAGE }
  const sendLanding = (reply: FastifyReply, videos: number, hasLeft = false): FastifyReply => {
    const welcomeMicros = parseUsd(config.WELCOME_CREDIT_USD) ?? 0n
    const hasTrials = isTrialOffered(config)
    const facts = {
      publicUrl,
      commandFile,
      isSignUpOpen,
      welcomeMicros,
      videos,
      hasTrials,
      hasLeft,
      demoUrl: config.DEMO_URL,
    }
    return sendWritten(reply, {
      ...common,
      title: LANDING_TITLE,
      description: LANDING_DESCRIPTION,
      canonical: `${publicUrl}/`,
      body: renderLanding(facts),
    })
  }
  return async (app) => {
    app.get('/', hidden, (request, reply) => {
      const document = site.sendDocument(request, reply)
      if (document !== null) return document
      // The website finds out whether the cookie still counts; a visitor without one reads the first page at once.
      const isMaybeSignedIn = SESSION_COOKIE.test(request.headers.cookie ?? '')
      const page = isMaybeSignedIn ? site.sendPage(request, reply) : null
      return page ?? sendLanding(reply, CALCULATOR.default)
    })
    const query = Type.Object({
      videos: optionalInteger({ minimum: 1, maximum: CALCULATOR.max }),
      left: Type.Optional(Type.String({ maxLength: 64 })),
    })
    app.get('/welcome', { schema: { hide: true, querystring: query } }, (request, reply) =>
      sendLanding(reply, request.query.videos ?? CALCULATOR.default, request.query.left === 'true'),
    )
    for (const page of legal)
      app.get(page.path, hidden, (_request, reply) =>
        sendWritten(reply, {
          ...common,
          title: `${page.title} · Scriptorium`,
          description: `${page.title} of this service.`,
          canonical: page.isTemplate ? null : `${publicUrl}${page.path}`,
          body: html`<article class="prose">
            ${page.isTemplate ? TEMPLATE_NOTE : ''}${renderProse(page.text, { breaks: true }).body}
          </article>`,
        }),
      )
    app.get('/robots.txt', hidden, (_request, reply) =>
      reply.type('text/plain; charset=utf-8').send(robots(publicUrl, config.CONTENT_SIGNAL)),
    )
    app.get('/sitemap.xml', hidden, (_request, reply) =>
      reply
        .type('application/xml; charset=utf-8')
        .send(sitemap(publicUrl, [...pages, ...publishedOf(legal).map(({ path }) => path)])),
    )
  }
}

function robots(publicUrl: string, signal: string | null): string {
  const closed = [
    '/api/',
    '/account/',
    '/oauth/',
    '/mcp',
    '/jobs',
    '/batches',
    '/library',
    '/billing',
    '/money',
    '/settings/',
    '/trial',
  ]
  // What the API catalog leads to may be read, although what stands above it may not.
  const open = ['/api/v1/openapi.json', '/mcp/server-card']
  const lines = [
    'User-agent: *',
    ...(signal === null ? [] : [`Content-Signal: ${signal}`]),
    ...open.map((path) => `Allow: ${path}`),
    ...closed.map((path) => `Disallow: ${path}`),
  ]
  return [...lines, '', `Sitemap: ${publicUrl}/sitemap.xml`, ''].join('\n')
}

function sitemap(publicUrl: string, pages: readonly string[]): string {
  const urls = ['/', '/docs', ...pages].map(
    (path) => html`<url><loc>${publicUrl}${path}</loc></url>`,
  )
  return html`<?xml version="1.0" encoding="UTF-8"?>
    <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls}</urlset> `.markup
}

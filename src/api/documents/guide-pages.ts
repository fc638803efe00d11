/**
 * GET /guides, /docs/{guide}, /changelog and, for browsers, /clients/: documents as pages that the server writes. Who
 * prefers Markdown gets the document itself.
 */
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../../config/config.ts'
import { prefersMarkdown } from '../../kit/http/accept.ts'
import { codeOf, html, type Markup, type PageParts } from '../landing/page.ts'
import { renderProse } from '../landing/prose.ts'
import { sendWritten } from '../send.ts'
import { type Guide, pageOfGuide } from './guides.ts'

const hidden = { schema: { hide: true } }

export type SiteParts = {
  config: Config
  publicUrl: string
  legal: PageParts['legal']
}

type SitePage = { path: string; name: string; description: string; body: Markup }

/** Sends a page that everybody may find. */
function sendSitePage(
  reply: FastifyReply,
  { config, publicUrl, legal }: SiteParts,
  { path, name, ...page }: SitePage,
): FastifyReply {
  return sendWritten(reply, {
    ...page,
    title: `${name} · Scriptorium`,
    canonical: `${publicUrl}${path}`,
    legal,
    isSignUpOpen: config.SIGN_UP === 'open',
    hasStatusPage: config.STATUS_PAGE,
  })
}

/** Routes of the pages; `changelog` is null where there is none. */
export function guidePages(
  parts: SiteParts,
  { guides, changelog }: { guides: readonly Guide[]; changelog: Guide | null },
): FastifyPluginAsync {
  const all = changelog === null ? guides : [...guides, changelog]
  return async (app) => {
    app.get('/guides', hidden, (_request, reply) =>
      sendSitePage(reply, parts, {
        path: '/guides',
        name: 'Guides',
        description: 'How to order, read, search and follow transcripts: all guides.',
        body: guideList(all),
      }),
    )
    for (const guide of all) {
      let body: Markup | null = null
      const send = (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
        reply.header('Link', `<${guide.url}>; rel="alternate"; type="text/markdown"`)
        if (prefersMarkdown(request.headers.accept))
          return reply
            .header('Vary', 'Accept, Accept-Encoding')
            .type('text/markdown; charset=utf-8')
            .send(guide.text)
        body ??= bodyOf(guide, guides)
        const description = `${guide.title}: ${guide.about}.`
        return sendSitePage(reply, parts, {
          path: guide.page,
          name: guide.title,
          description,
          body,
        })
      }
      app.get(guide.page, hidden, send)
    }
  }
}

function guideList(guides: readonly Guide[]): Markup {
  const items = guides.map(
    ({ page, title, about }) =>
      html`<dt><a href="${page}">${title}</a></dt>
        <dd>${about}</dd>`,
  )
  return html`<article class="prose">
    <h1 class="place">Guides</h1>
    <dl class="guides">${items}</dl>
    <p class="muted">
      For programs: <a href="/llms.txt">llms.txt</a>, and each guide as Markdown at its address with
      <code>.md</code>.
    </p>
  </article>`
}

/** Returns a guide, with its contents and the other guides beside it. */
function bodyOf(guide: Guide, guides: readonly Guide[]): Markup {
  const { body, contents } = renderProse(guide.source, { addressOf: pageOfGuide })
  const here = contents.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`)
  const others = guides
    .filter(({ page }) => page !== guide.page)
    .map(({ page, title }) => html`<li><a href="${page}">${title}</a></li>`)
  const onPage =
    here.length === 0
      ? ''
      : html`<h2>On this page</h2>
          <ul>
            ${here}
          </ul>`
  return html`<div class="guide">
    <article class="prose">${body}</article>
    <nav aria-label="Contents">
      ${onPage}
      <h2>Guides</h2>
      <ul>
        ${others}
      </ul>
    </nav>
  </div>`
}

export type PackedClient = { name: string; version: string; file: string; sha256: string }

/** Sends the list of clients as a page: how each is installed, and its files with their checksums. */
export function clientsPage(
  reply: FastifyReply,
  site: SiteParts,
  clients: readonly PackedClient[],
): FastifyReply {
  const at = (file: string): string => `${site.publicUrl}/clients/${file}`
  const ways = clients.flatMap(({ file }) => waysTo(at(file)))
  const rows = clients.map(
    ({ name, version, file, sha256 }) =>
      html`<tr>
        <td>${name} ${version}</td>
        <td><a href="/clients/${file}">${file}</a></td>
        <td><code>${sha256}</code></td>
      </tr>`,
  )
  return sendSitePage(reply, site, {
    path: '/clients/',
    name: 'Clients',
    description: 'The command line and the libraries that this server serves.',
    body: html`<article class="prose">
      <h1 class="place">Clients</h1>
      <p>
        The command line and the libraries of this release, served by this server. Programs get this
        list as JSON.
      </p>
      ${ways.map(
        ({ way, line }) =>
          html`<h2>${way}</h2>
            ${codeOf(line)}`,
      )}
      <h2>Files</h2>
      <table>
        <thead>
          <tr>
            <th scope="col">Client</th>
            <th scope="col">File</th>
            <th scope="col">SHA-256</th>
          </tr>
        </thead>
        <tbody>
          ${rows}
        </tbody>
      </table>
    </article>`,
  })
}

/** Returns how a client is installed from its file; nothing for copies of one. */
function waysTo(address: string): { way: string; line: string }[] {
  if (address.includes('/as-published/')) return []
  if (address.includes('-cli-')) return [{ way: 'Command line', line: `npx ${address} --help` }]
  if (address.endsWith('.tgz')) return [{ way: 'TypeScript', line: `npm install ${address}` }]
  if (address.endsWith('.whl')) return [{ way: 'Python', line: `pip install ${address}` }]
  return []
}

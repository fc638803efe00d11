/**
 * GET /guides, /docs/{guide}, /changelog and, for browsers, /clients/: documents as pages that the server writes. Who
 * prefers Markdown gets the document itself.
 */
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../../config/config.ts'
import { prefersMarkdown } from '../../kit/http/accept.ts'
import { html, type Markup, type PageParts } from '../landing/page.ts'
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
      html`<div>
        <dt><a href="${page}">${title}</a></dt>
        <dd>${about}</dd>
      </div>`,
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

export type PackedClient = {
  name: string
  version: string
  file: string
  sha256: string
  bytes: number
}

/** Sends the list of clients as a page: what each is for, how it is installed, and the checksums of all files. */
export function clientsPage(
  reply: FastifyReply,
  site: SiteParts,
  clients: readonly PackedClient[],
): FastifyReply {
  return sendSitePage(reply, site, {
    path: '/clients/',
    name: 'Clients',
    description: 'The command line and the libraries that this server serves.',
    body: html`<article class="prose wide">
      <h1 class="place">Clients</h1>
      ${clients.length === 0 ? noClients() : clientTable(clients, `${site.publicUrl}/clients/`)}
    </article>`,
  })
}

function noClients(): Markup {
  return html`<p>
      This server has no packed clients. Who runs it packs them with
      <code>npm run pack:clients</code>; after a restart they stand here.
    </p>
    <p>
      Until then, <a href="/docs">every call</a> works with curl and any HTTP library, and
      <a href="/docs/agents">agents</a> need nothing to be installed.
    </p>`
}

function clientTable(clients: readonly PackedClient[], folder: string): Markup {
  const rows = clients.flatMap((client) => {
    const { name, version, file, bytes } = client
    const way = wayTo(folder + file)
    return way === null
      ? []
      : html`<tr>
          <td><a href="/clients/${file}">${name}</a> ${version}</td>
          <td>${way.use}</td>
          <td>${Math.ceil(bytes / 1024)} KB</td>
          <td><code>${way.line}</code></td>
        </tr>`
  })
  const files = clients.map(
    ({ file, sha256 }) =>
      html`<tr>
        <td><a href="/clients/${file}">${file}</a></td>
        <td><code>${sha256}</code></td>
      </tr>`,
  )
  return html`<p>The command line and the libraries of this release, served by this server.</p>
    <table>
      <thead>
        <tr>
          <th scope="col">Client</th>
          <th scope="col">For</th>
          <th scope="col">Size</th>
          <th scope="col">Command</th>
        </tr>
      </thead>
      <tbody>
        ${rows}
      </tbody>
    </table>
    <h2>Checksums</h2>
    <p>Programs get this list as JSON, at the same address.</p>
    <table>
      <thead>
        <tr>
          <th scope="col">File</th>
          <th scope="col">SHA-256</th>
        </tr>
      </thead>
      <tbody>
        ${files}
      </tbody>
    </table>`
}

/** Returns what a client is for and how it is installed from its file; null for a copy of one. */
function wayTo(address: string): { use: string; line: string } | null {
  if (address.includes('/as-published/')) return null
  if (address.includes('-cli-'))
    return { use: 'Terminal, Node 20 or newer', line: `npx ${address} --help` }
  if (address.endsWith('.tgz')) return { use: 'TypeScript', line: `npm install ${address}` }
  if (address.endsWith('.whl')) return { use: 'Python', line: `pip install ${address}` }
  return null
}

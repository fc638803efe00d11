/**
 * The frame of pages that the server writes by itself: for visitors without an account and for search engines. They
 * have no script, so that they can be read before anything is loaded; `html` escapes whatever is put in.
 */

/** Markup that is safe as it stands. */
export type Markup = { readonly markup: string }

type Part = Markup | string | number | readonly Markup[]

/** Returns markup. A text stays text, whatever characters it has; markup stays markup. */
export function html(texts: TemplateStringsArray, ...parts: Part[]): Markup {
  return { markup: texts.map((text, at) => text + markupOf(parts[at] ?? '')).join('') }
}

function markupOf(part: Part): string {
  if (typeof part === 'number') return String(part)
  if (typeof part === 'string') return escaped(part)
  if ('markup' in part) return part.markup
  return part.map(({ markup }) => markup).join('')
}

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '')
}

/** Returns a block of code; blanks before it would be its own. */
export function codeOf(text: string): Markup {
  return { markup: `<pre><code>${escaped(text)}</code></pre>` }
}

export type PageParts = {
  title: string
  description: string
  /** The address of the page, for search engines and for people who share it; null where it is not to be found. */
  canonical: string | null
  /** Pages linked from the foot. */
  legal: readonly { path: string; title: string }[]
  isSignUpOpen: boolean
  /** Whether this service shows how it is doing. */
  hasStatusPage: boolean
  body: Markup
  /** Seconds after which the page asks for itself again. */
  refreshSeconds?: number
}

/** The picture that other sites show of a shared page; no visitor loads it. */
const SHARED = {
  path: '/shared.png',
  width: 1200,
  height: 630,
  alt: 'Scriptorium: search and read every word of a channel.',
}

/** The fonts of the app, after the styles: without them in time, a page keeps the system's, so that no line moves. */
const FONTS = ['inter', 'source-serif'].map(
  (name) =>
    html`<link
      rel="preload"
      href="/fonts/${name}.woff2"
      as="font"
      type="font/woff2"
      fetchpriority="low"
      crossorigin
    />`,
)

/** Returns a whole document. */
export function renderPage(parts: PageParts): string {
  const { title, description, canonical, refreshSeconds, body } = parts
  const found =
    canonical === null
      ? html`<meta name="robots" content="noindex" />`
      : html`<link rel="canonical" href="${canonical}" />
          <meta property="og:type" content="website" />
          <meta property="og:site_name" content="Scriptorium" />
          <meta property="og:title" content="${title}" />
          <meta property="og:description" content="${description}" />
          <meta property="og:url" content="${canonical}" />
          <meta property="og:image" content="${new URL(SHARED.path, canonical).href}" />
          <meta property="og:image:width" content="${SHARED.width}" />
          <meta property="og:image:height" content="${SHARED.height}" />
          <meta property="og:image:alt" content="${SHARED.alt}" />
          <meta name="twitter:card" content="summary_large_image" />`
  const again =
    refreshSeconds === undefined
      ? html``
      : html`<meta http-equiv="refresh" content="${refreshSeconds}" />`
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title}</title>
        <meta name="description" content="${description}" />
        ${found}${again}
        <link rel="icon" href="/icon.svg" type="image/svg+xml" />
        ${FONTS}
        <link rel="stylesheet" href="/tokens.css" />
        <link rel="stylesheet" href="/landing.css" />
      </head>
      <body>
        <a class="skip" href="#main">Skip to content</a>
        ${header(parts)}
        <main id="main">${body}</main>
        ${footer(parts)}
      </body>
    </html> `.markup
}

function header({ isSignUpOpen }: PageParts): Markup {
  const signUp = isSignUpOpen ? html`<a class="wide" href="/sign-up">Create an account</a>` : html``
  return html`<header class="bar">
    <a class="name" href="/"><img src="/icon.svg" alt="" width="28" height="28" /> Scriptorium</a>
    <nav aria-label="Main">
      <a href="/welcome#calculator">Pricing</a><a href="/docs">API</a
      ><span class="end">${signUp}<a class="main" href="/sign-in">Sign in</a></span>
    </nav>
  </header>`
}

/** Returns the links at the foot of every page, the app's and those that the server writes, none alone in its group. */
export function footOf(legal: PageParts['legal'], hasStatusPage: boolean) {
  return [
    {
      title: 'Product',
      links: [
        { path: '/welcome#calculator', title: 'Pricing' },
        { path: '/changelog', title: 'Changelog' },
        ...(hasStatusPage ? [{ path: '/status', title: 'Status' }] : []),
      ],
    },
    {
      title: 'Developers',
      links: [
        { path: '/docs', title: 'API reference' },
        { path: '/guides', title: 'Guides' },
        { path: '/clients/', title: 'Clients' },
      ],
    },
    { title: 'Legal', links: legal.map(({ path, title }) => ({ path, title })) },
  ]
}

function footer(parts: PageParts): Markup {
  const groups = footOf(parts.legal, parts.hasStatusPage).map(
    ({ title, links }) =>
      html`<div>
        <strong>${title}</strong>
        ${links.map((link) => html`<a href="${link.path}">${link.title}</a>`)}
      </div>`,
  )
  return html`<footer class="bar">
    <span>Transcripts of published captions, charged only when delivered.</span>
    <nav aria-label="Footer">${groups}</nav>
  </footer>`
}

/**
 * Markdown as markup: the guides, the changelog and the operator's legal pages. What it does not know, HTML above all,
 * is text, so that a page never shows less than its file says.
 */
import { Lexer, type Token, type Tokens } from 'marked'
import { titleSize } from '../../kit/text/cells.ts'
import { codeOf, html, type Markup } from './page.ts'

/** Addresses that a link of a text may lead to, beside those that `addressOf` knows. */
const OUTSIDE = /^(?:https?:\/\/|mailto:)\S{1,500}$/

type Prose = {
  body: Markup
  /** Its headings of the second level, for a list of contents. */
  contents: { id: string; title: string }[]
}

type ProseOptions = {
  /** Whether the end of a line is one on the page, as people write addresses. */
  breaks?: boolean
  /** Returns where a link leads that is no address; null where the words are to stand alone. */
  addressOf?: (target: string) => string | null
}

export function renderProse(
  text: string,
  { breaks = false, addressOf = () => null }: ProseOptions = {},
): Prose {
  const contents: Prose['contents'] = []
  const writing: Writing = {
    addressOf,
    ids: new Map(),
    note: (id, title) => void contents.push({ id, title }),
  }
  const body = html`${blocksOf(new Lexer({ gfm: true, breaks }).lex(text), writing)}`
  return { body, contents }
}

/** Returns the first heading of a page; null where it has none. */
export function titleOfProse(text: string): string | null {
  const heading = new Lexer().lex(text).find(({ type }) => type === 'heading')
  return heading === undefined ? null : plainText(heading)
}

type Writing = {
  addressOf: (target: string) => string | null
  /** Counts of the ids that were given. */
  ids: Map<string, number>
  note: (id: string, title: string) => void
}

function blocksOf(tokens: readonly Token[], writing: Writing): Markup[] {
  return tokens.map((token) => blockOf(token as Tokens.Generic, writing))
}

function blockOf(token: Tokens.Generic, writing: Writing): Markup {
  const { type, tokens = [] } = token
  if (type === 'space') return html``
  if (type === 'heading') return headingOf(token as Tokens.Heading, writing)
  if (type === 'paragraph') return html`<p>${inlineOf(tokens, writing)}</p>`
  if (type === 'list') return itemsOf(token as Tokens.List, writing)
  if (type === 'table') return tableOf(token as Tokens.Table, writing)
  if (type === 'code') return codeOf(String(token['text']))
  if (type === 'blockquote') return html`<blockquote>${blocksOf(tokens, writing)}</blockquote>`
  if (type === 'hr') return html`<hr />`
  if (type === 'text') return html`${tokens.length > 0 ? inlineOf(tokens, writing) : token.raw}`
  return html`<p>${token.raw}</p>`
}

function headingOf(heading: Tokens.Heading, writing: Writing): Markup {
  const title = plainText(heading)
  const id = idOf(title, writing.ids)
  if (heading.depth === 2) writing.note(id, title)
  const level = { markup: `h${heading.depth}` }
  const words = inlineOf(heading.tokens, writing)
  // A heading with a link in it cannot be one itself.
  const isOwn = heading.depth > 1 && heading.tokens.every(({ type }) => type !== 'link')
  const linked = isOwn ? html`<a href="#${id}">${words}</a>` : words
  const look = heading.depth === 1 ? html` class="${titleSize(title)}"` : html``
  return html`<${level} id="${id}"${look}>${linked}</${level}>`
}

/** Returns the anchor of a heading as GitHub makes it, so that links between the documents hold in both places. */
function idOf(title: string, ids: Map<string, number>): string {
  const id = title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\p{M}_ -]/gu, '')
    .replaceAll(' ', '-')
  const times = ids.get(id) ?? 0
  ids.set(id, times + 1)
  return times === 0 ? id : `${id}-${times}`
}

function itemsOf({ ordered, items }: Tokens.List, writing: Writing): Markup {
  const level = { markup: ordered ? 'ol' : 'ul' }
  return html`<${level}>${items.map(({ tokens }) => html`<li>${blocksOf(tokens, writing)}</li>`)}</${level}>`
}

function tableOf({ header, rows }: Tokens.Table, writing: Writing): Markup {
  const heads = header.map(({ tokens }) => html`<th scope="col">${inlineOf(tokens, writing)}</th>`)
  const isNamed = header.some(({ text }) => text !== '')
  const lines = rows.map(
    (row) =>
      html`<tr>
        ${row.map(({ tokens }) => html`<td>${inlineOf(tokens, writing)}</td>`)}
      </tr>`,
  )
  return html`<table>
    ${
      isNamed
        ? html`<thead>
            <tr>
              ${heads}
            </tr>
          </thead>`
        : ''
    }
    <tbody>
      ${lines}
    </tbody>
  </table>`
}

const MARKS: Record<string, string> = { strong: 'strong', em: 'em', del: 'del' }

function inlineOf(tokens: readonly Token[], writing: Writing): Markup {
  return html`${tokens.map((token) => pieceOf(token as Tokens.Generic, writing))}`
}

function pieceOf(token: Tokens.Generic, writing: Writing): Markup {
  const { type, raw, tokens = [] } = token
  const mark = MARKS[type]
  if (mark !== undefined)
    return html`<${{ markup: mark }}>${inlineOf(tokens, writing)}</${{ markup: mark }}>`
  if (type === 'br') return html`<br />`
  if (type === 'codespan') return html`<code>${token['text']}</code>`
  if (type === 'escape') return html`${token['text']}`
  if (type === 'link') return linkOf(token as Tokens.Link, writing)
  return html`${type === 'text' && tokens.length > 0 ? inlineOf(tokens, writing) : raw}`
}

function linkOf({ href, raw, tokens }: Tokens.Link, writing: Writing): Markup {
  const address = OUTSIDE.test(href) ? href : writing.addressOf(href)
  return address === null
    ? html`${raw}`
    : html`<a href="${address}">${inlineOf(tokens, writing)}</a>`
}

/** Returns the words of a piece, without their marks. */
function plainText(token: Token): string {
  const { tokens, text, raw } = token as Tokens.Generic
  return tokens === undefined ? String(text ?? raw) : tokens.map(plainText).join('')
}

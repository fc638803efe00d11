/**
 * The Markdown of the operator's legal pages as markup: headings, paragraphs, lists and links to http, https and
 * mailto addresses. Everything else is text, so that a page never shows less than its file says.
 */
import { html, type Markup } from './page.ts'

const HEADING = /^(#{1,3}) +(\S.*)$/
const ITEM = /^[-*] +(\S.*)$/
const LINK = /\[([^\]\n]{1,200})\]\(((?:https?:\/\/|mailto:)[^\s)]{1,500})\)/

export function renderProse(text: string): Markup {
  const blocks = text
    .replaceAll('\r\n', '\n')
    .split(/\n{2,}/)
    .map((block) => block.trim())
    .filter((block) => block !== '')
  return html`${blocks.map(blockOf)}`
}

/** Returns the first heading of a page; null where it has none. */
export function titleOfProse(text: string): string | null {
  const line = text.split('\n').find((one) => HEADING.test(one.trim()))
  return line === undefined ? null : (HEADING.exec(line.trim())?.[2] ?? null)
}

function blockOf(block: string): Markup {
  const lines = block.split('\n').map((line) => line.trim())
  const heading = HEADING.exec(lines[0] ?? '')
  if (heading !== null) {
    const [, marks = '', words = ''] = heading
    const rest = lines.slice(1).join('\n')
    const level = { markup: `h${marks.length}` }
    return html`<${level}>${inline(words)}</${level}>
      ${rest === '' ? '' : blockOf(rest)}`
  }
  if (lines.every((line) => ITEM.test(line))) {
    const items = lines.map((line) => html`<li>${inline(ITEM.exec(line)?.[1] ?? '')}</li>`)
    return html`<ul>
      ${items}
    </ul>`
  }
  const broken = lines.map((line, at) => html`${at > 0 ? html`<br />` : ''}${inline(line)}`)
  return html`<p>${broken}</p>`
}

function inline(text: string): Markup {
  const parts: Markup[] = []
  let rest = text
  for (let link = LINK.exec(rest); link !== null; link = LINK.exec(rest)) {
    const [whole, words = '', address = ''] = link
    parts.push(html`${rest.slice(0, link.index)}<a href="${address}">${words}</a>`)
    rest = rest.slice(link.index + whole.length)
  }
  return html`${parts}${rest}`
}

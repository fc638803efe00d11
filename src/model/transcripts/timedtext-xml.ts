/** The XML formats of timedtext: srv3 (milliseconds, words in `<s>`) and srv1 (seconds). */
import type { PublishedCue } from './transcript.ts'

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
}
const CODE_POINT_MAX = 0x10ffff

export function isMarkup(body: string): boolean {
  return body.trimStart().startsWith('<')
}

/** Reads the cues; null where it is another document: a web page, a block page, a format that we do not read. */
export function readXmlCues(body: string): PublishedCue[] | null {
  const head = body.slice(0, 1000)
  if (/<!doctype html|<html/i.test(head)) return null
  if (/<timedtext[\s>]/.test(head)) return readSrv3(body)
  return /<transcript[\s/>]/.test(head) ? readSrv1(body) : null
}

/** Reads srv3, which is escaped once; `<p t d>` in milliseconds, attributes in any order. */
function readSrv3(body: string): PublishedCue[] {
  const cues: PublishedCue[] = []
  for (const { attributes, inner } of elementsOf(body, 'p')) {
    const words = inner.replace(/<br\s*\/?>/gi, ' ').replace(/<\/?s\b[^<>]*>/g, '')
    cues.push(cueOf(attributes, { start: 't', duration: 'd', unitMs: 1 }, unescaped(words)))
  }
  return cues
}

/** Reads srv1, which is escaped twice (`we&amp;#39;re`); `<text start dur>` in seconds, `dur` may be missing. */
function readSrv1(body: string): PublishedCue[] {
  const cues: PublishedCue[] = []
  for (const { attributes, inner } of elementsOf(body, 'text')) {
    const names = { start: 'start', duration: 'dur', unitMs: 1000 }
    cues.push(cueOf(attributes, names, unescaped(unescaped(inner))))
  }
  return cues
}

/** Yields the elements of that name that are not empty; each character is looked at once, closed or not. */
function* elementsOf(body: string, name: string): Iterable<{ attributes: string; inner: string }> {
  const [opening, closing] = [`<${name}`, `</${name}>`]
  for (let at = body.indexOf(opening); at >= 0; at = body.indexOf(opening, at)) {
    at += opening.length
    if (/\w/.test(body.charAt(at))) continue
    const tagEnd = body.indexOf('>', at)
    if (tagEnd < 0) return
    const attributes = body.slice(at, tagEnd)
    at = tagEnd + 1
    if (attributes.endsWith('/')) continue
    const end = body.indexOf(closing, at)
    if (end < 0) return
    yield { attributes, inner: body.slice(at, end) }
    at = end + closing.length
  }
}

function cueOf(
  attributes: string,
  names: { start: string; duration: string; unitMs: number },
  text: string,
): PublishedCue {
  const start = numberIn(attributes, names.start)
  const duration = numberIn(attributes, names.duration)
  return {
    startMs: (start ?? 0) * names.unitMs,
    durationMs: duration === null ? null : duration * names.unitMs,
    text,
  }
}

function numberIn(attributes: string, name: string): number | null {
  const opening = `${name}="`
  for (let at = attributes.indexOf(opening); at >= 0; at = attributes.indexOf(opening, at + 1)) {
    if (at > 0 && !/\s/.test(attributes.charAt(at - 1))) continue
    const from = at + opening.length
    const to = attributes.indexOf('"', from)
    const value = to < 0 ? Number.NaN : Number(attributes.slice(from, to))
    return Number.isNaN(value) ? null : value
  }
  return null
}

function unescaped(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(
    /&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|([a-z]{2,4}));/g,
    (all, dec, hex, name) => {
      if (name !== undefined) return ENTITIES[String(name)] ?? all
      const code = dec === undefined ? Number.parseInt(String(hex), 16) : Number(dec)
      return code <= CODE_POINT_MAX ? String.fromCodePoint(code) : all
    },
  )
}

/** The XML formats of timedtext: srv3 (milliseconds, words in `<s>`) and srv1 (seconds). */
import type { PublishedCue } from './timedtext.ts'

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ',
}
const CODE_POINT_MAX = 0x10ffff

export function isMarkup(body: string): boolean {
  return body.trimStart().startsWith('<')
}

/** Null where it is another document: a web page, a block page, a format we do not read. */
export function readXmlCues(body: string): PublishedCue[] | null {
  const head = body.slice(0, 1000)
  if (/<!doctype html|<html/i.test(head)) return null
  if (/<timedtext[\s>]/.test(head)) return readSrv3(body)
  return /<transcript[\s/>]/.test(head) ? readSrv1(body) : null
}

/** Escaped once; `<p t d>` in milliseconds, attributes in any order. */
function readSrv3(body: string): PublishedCue[] {
  const cues: PublishedCue[] = []
  for (const [, attributes = '', inner] of body.matchAll(/<p\b([^>]*?)(?:\/>|>([\s\S]*?)<\/p>)/g)) {
    if (inner === undefined) continue
    const words = inner.replace(/<br\s*\/?>/gi, ' ').replace(/<\/?s\b[^>]*>/g, '')
    cues.push(cueOf(attributes, { start: 't', duration: 'd', unitMs: 1 }, unescaped(words)))
  }
  return cues
}

/** Escaped twice (`we&amp;#39;re`); `<text start dur>` in seconds, `dur` may be missing. */
function readSrv1(body: string): PublishedCue[] {
  const cues: PublishedCue[] = []
  const cue = /<text\b([^>]*?)(?:\/>|>([\s\S]*?)<\/text>)/g
  for (const [, attributes = '', inner] of body.matchAll(cue)) {
    if (inner === undefined) continue
    const names = { start: 'start', duration: 'dur', unitMs: 1000 }
    cues.push(cueOf(attributes, names, unescaped(unescaped(inner))))
  }
  return cues
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
  const value = new RegExp(`(?:^|\\s)${name}="([^"]*)"`).exec(attributes)?.[1]
  return value === undefined || Number.isNaN(Number(value)) ? null : Number(value)
}

function unescaped(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(/&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|([a-z]{2,4}));/g, (all, dec, hex, name) => {
    if (name !== undefined) return ENTITIES[String(name)] ?? all
    const code = dec === undefined ? Number.parseInt(String(hex), 16) : Number(dec)
    return code <= CODE_POINT_MAX ? String.fromCodePoint(code) : all
  })
}

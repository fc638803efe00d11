/** The XML forms of a caption track: srv1 (the default) and srv3. */
import { type Line, rolls } from '../captions.ts'
import { breakBelow, layersOf, rawOf, repeated, type Layer, type TrackText } from './track-text.ts'

const PROLOGUE = '<?xml version="1.0" encoding="utf-8" ?>'

/**
 * Returns srv1, with seconds as decimals. Its text is HTML inside XML, so it is escaped twice (`we&amp;#39;re`), angle
 * brackets only once (`&lt;i&gt;`).
 */
export function srv1({ track, lines }: TrackText): string {
  const text = (startMs: number, durationMs: number | null, words: string | null): string =>
    element('text', ` start="${startMs / 1000}"${attribute('dur', durationMs, 1000)}`, words)
  const texts = lines.flatMap((line, index) => {
    const words = line.pieces.length === 0 ? null : escaped(htmlOf(rawOf(line)))
    const said = text(line.startMs, line.durationMs, words)
    if (line.clearedMs === null) return repeated(track, [said])
    const below = breakBelow(track, line, lines[index + 1])
    return [said, text(below.startMs, below.durationMs, below.text)]
  })
  return `${PROLOGUE}<transcript>${texts.join('')}</transcript>`
}

export function srv3(text: TrackText): string {
  const head =
    '<head>\n<pen id="1" b="1"/>\n<pen id="2" i="1"/>\n<ws id="0"/>\n<ws id="1" mh="2" ju="0" ' +
    'sd="3"/>\n<wp id="0"/>\n' +
    '<wp id="1" ap="6" ah="20" av="100" rc="2" cc="40"/>\n</head>'
  const isUnusual = text.track.style === 'strings'
  const body = rolls(text.track)
    ? rolling(text)
    : text.lines.flatMap((line, index) =>
        text.track.style === 'twin_layers'
          ? layersOf(line, index).map(layer)
          : repeated(text.track, [paragraph(line, isUnusual)]),
      )
  const start = `${PROLOGUE}<timedtext format="3">\n${head}\n<body>\n`
  return `${start}${body.join('\n')}\n</body>\n</timedtext>\n`
}

function rolling({ video, track, lines }: TrackText): string[] {
  const window = `<w t="0" id="1" wp="1" ws="1" d="${video.durationMs}"/>`
  return [
    window,
    ...lines.flatMap((line, index) => {
      const words = line.pieces.map(
        ({ raw, offsetMs, confidence }) =>
          `<s${offsetMs === 0 ? '' : ` t="${offsetMs}"`} ac="${confidence}">${escaped(raw)}</s>`,
      )
      const said = `<p t="${line.startMs}" d="${line.durationMs}" w="1">${words.join('')}</p>`
      const next = lines[index + 1]
      if (next === undefined ? line.clearedMs === null : next.startMs === line.startMs)
        return repeated(track, [said])
      const below = breakBelow(track, line, next)
      const times = ` t="${below.startMs}"${attribute('d', below.durationMs)}`
      return repeated(track, [said, element('p', `${times} w="1" a="1"`, below.text)])
    }),
  ]
}

/** Returns a cue; styled cues are pieces with pens, and attributes may come in an unusual order. */
function paragraph(line: Line, isUnusual: boolean): string {
  const duration = attribute('d', line.durationMs)
  const times = isUnusual ? `${duration} t="${line.startMs}"` : ` t="${line.startMs}"${duration}`
  if (line.pieces.length === 0) return element('p', times, null)
  if (line.pieces.length === 1) return `<p${times}>${escaped(rawOf(line))}</p>`
  const pieces = line.pieces.map(({ raw }, at) => `<s p="${at % 3}">${escaped(raw)}</s>`)
  return `<p${times}>${pieces.join('')}</p>`
}

function layer({ line, pen, place }: Layer): string {
  const said = `<s p="${pen}">${escaped(rawOf(line))}</s>`
  return `<p t="${line.startMs}"${attribute('d', line.durationMs)} wp="${place}">${said}</p>`
}

/** Returns an element, self-closed where its content is null. */
function element(name: string, attributes: string, content: string | null): string {
  return content === null ? `<${name}${attributes}/>` : `<${name}${attributes}>${content}</${name}>`
}

/** Returns hours, minutes, seconds and milliseconds: `00:00:01.469`. */
export function clock(ms: number): string {
  const two = (value: number): string => String(Math.floor(value)).padStart(2, '0')
  const whole = `${two(ms / 3_600_000)}:${two((ms / 60_000) % 60)}:${two((ms / 1000) % 60)}`
  return `${whole}.${String(ms % 1000).padStart(3, '0')}`
}

/** Returns a duration as an attribute, divided by `per`; empty where it is not stated. */
function attribute(name: string, ms: number | null, per = 1): string {
  return ms === null ? '' : ` ${name}="${ms / per}"`
}

function htmlOf(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll("'", '&#39;')
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

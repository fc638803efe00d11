/**
 * Continuation tokens as the platform makes them: protobuf 80226972 { 2: browse id, 3: page, 35: id } as
 * percent-encoded base64url. The page holds `PT:` and an offset; one without it is the first page, so tokens that a
 * client made itself work, too.
 */
const OUTER = 80_226_972

/** The place of the items that come next in a list. */
export type Page = {
  browseId: string
  tab: string
  offset: number
  isReload: boolean
  /** The exit and the number of the visitor id with which the token was given, where older ones get nothing for it. */
  since?: string | undefined
}

export function tokenOf(page: Page): string {
  const { browseId, tab, offset, isReload, since } = page
  const mark = since === undefined ? '' : `:${since}`
  const place = Buffer.from(`PT:${tab}:${offset}:${isReload ? 1 : 0}${mark}`).toString('base64url')
  const inner = [
    ...field(2, Buffer.from(browseId)),
    ...field(3, Buffer.from(encodeURIComponent(place))),
    ...field(35, Buffer.from(browseId.replace(/^VL/, ''))),
  ]
  const outer = Buffer.from(field(OUTER, Buffer.from(inner)))
  return encodeURIComponent(outer.toString('base64').replaceAll('+', '-').replaceAll('/', '_'))
}

/** Reads a token; returns null where the text is none of this platform's. */
export function pageOf(token: string): Page | null {
  const outer = readFields(Buffer.from(unescaped(token), 'base64url'))
  const inner = outer.get(OUTER)
  if (inner === undefined) return null
  const fields = readFields(inner)
  const browseId = fields.get(2)?.toString()
  if (browseId === undefined) return null
  const place = Buffer.from(unescaped(fields.get(3)?.toString() ?? ''), 'base64url').toString()
  const [, tab = '', offset = '0', reload = '1', since] =
    /^PT:(\w*):(\d+):(\d)(?::(\w+))?$/.exec(place) ?? []
  return {
    browseId,
    tab,
    offset: Number(offset),
    isReload: reload === '1',
    ...(since === undefined ? {} : { since }),
  }
}

function field(number: number, bytes: Buffer): number[] {
  return [...varint(number * 8 + 2), ...varint(bytes.length), ...bytes]
}

function varint(value: number): number[] {
  const bytes = []
  let left = value
  for (; left > 127; left = Math.floor(left / 128)) bytes.push((left % 128) | 128)
  bytes.push(left)
  return bytes
}

/** Reads the length-delimited fields of a message; any other field ends the reading. */
function readFields(bytes: Buffer): Map<number, Buffer> {
  const fields = new Map<number, Buffer>()
  let at = 0
  const next = (): number => {
    let [value, scale] = [0, 1]
    for (;;) {
      const byte = bytes[at++]
      if (byte === undefined) return -1
      value += (byte & 127) * scale
      if (byte < 128) return value
      scale *= 128
    }
  }
  while (at < bytes.length) {
    const tag = next()
    const length = next()
    if (tag % 8 !== 2 || length < 0 || at + length > bytes.length) break
    fields.set(Math.floor(tag / 8), bytes.subarray(at, at + length))
    at += length
  }
  return fields
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

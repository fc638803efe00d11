/**
 * Ids of the platform, by their form (November 2026). An id is all of the id characters that stand in its place. Eleven
 * are a video's, whatever they begin with. More that begin as the id of a list or channel does are never cut to a
 * video's; any other rubbish behind a video's id is cut off.
 */
import { withoutInvisible } from '../../kit/text/invisible.ts'

export const CHANNEL_ID = /^UC[\w-]{22}$/
export const PLAYLIST_ID = /^(?:PL|UU|FL|EC|SP|OLAK5uy_|EL|VLPL)[\w-]{10,60}$/
/**
 * A channel's popular uploads, and lists that the platform's editors made for everybody (`RDCLAK…`), which end. A
 * notice about a list beside a video is given for lists of PLAYLIST_ID only, never for these.
 */
export const OTHER_PLAYLIST_ID = /^(?:PU[\w-]{22}|RDCLAK5uy_[\w-]{10,60})$/

const VIDEO_ID_CHARS = 11
const OTHER_ID_START = /^(?:UC|(?:VL|MPSP)?(?:PL|UU|FL|EC|SP|EL|PU|RD|TL|MLCT|RLTD|LL|OLAK5uy_))/
/** Letters before the id of a list, or of a podcast, in the address of its page. */
const PAGE_OF_LIST = /^(?:VL|MPSP)/
/** Ids of lists and channels in the lengths that the platform gives them: a name may begin as they do. */
const WHOLE_ID =
  /^(?:UC[\w-]{22}|(?:PL|EC|SP)[\w-]{32}|(?:UU|UU[A-Z]{2}|FL|PU)[\w-]{22}|(?:OLAK|RDCLAK)5uy_[\w-]{33})$/

/** Returns the id of a video at the beginning of a text; null where it begins with none, or with another id. */
export function videoIdIn(text: string): string | null {
  const id = idCharacters(text)
  return id.length < VIDEO_ID_CHARS || isOtherId(id) ? null : id.slice(0, VIDEO_ID_CHARS)
}

/** Returns the id at the beginning of a text, as it stands by itself; empty where it begins with none. */
export function idIn(text: string): string {
  const id = idCharacters(text)
  return isOtherId(id) ? id.replace(PAGE_OF_LIST, '') : id
}

/** Returns whether a text is the id of a list or channel, mixed as ids are and names are not. */
export function isIdForName(text: string): boolean {
  return WHOLE_ID.test(text) && /[a-z]/.test(text) && /[\d_-]/.test(text)
}

function idCharacters(text: string): string {
  return /^[\w-]*/.exec(withoutInvisible(text))?.[0] ?? ''
}

function isOtherId(id: string): boolean {
  return id.length > VIDEO_ID_CHARS && OTHER_ID_START.test(id)
}

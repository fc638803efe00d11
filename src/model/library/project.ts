/** A project: a collection of an account's own, of any videos that any of its orders delivered. */
import { visibleLine } from '../../kit/text/invisible.ts'

/** In characters. */
export const PROJECT_NAME_CHARS_MAX = 120
export const PROJECT_NOTE_CHARS_MAX = 2_000
export const PROJECT_TAG_CHARS_MAX = 40
export const PROJECT_TAGS_MAX = 20

/** An account's name, note and tags for a project; null for no note. */
export type ProjectWords = { name: string; note: string | null; tags: string[] }

export type Project = ProjectWords & {
  id: string
  /** Number of its texts: of a video in two languages, two. */
  videos: number
  createdAt: Date
  changedAt: Date
}

/** Returns tags as they are kept: one line each, without repeats and without those of which nothing is seen. */
export function tagsFrom(texts: readonly string[]): string[] {
  return [...new Set(texts.map(visibleLine))].filter((tag) => tag !== '')
}

/** A row that was offered to a project and cannot be taken up; `isThere` is false where the account has none such. */
type RefusedRow = { isThere: boolean; status: string | null; textsDeletedAt: Date | null }

/** Returns why a row cannot be taken up, in a sentence. */
export function refusalOfRow({ isThere, status, textsDeletedAt }: RefusedRow): string {
  if (!isThere) return 'Your account has no such row.'
  if (textsDeletedAt !== null) return textRemoved(textsDeletedAt)
  return status === 'unchanged'
    ? 'An earlier job holds its text; add it from there.'
    : 'It has no transcript of yours.'
}

/** Returns what stands in a project in the place of a text that was deleted at an instant; it names the day in UTC. */
function textRemoved(at: Date): string {
  return `${TEXT_REMOVED} ${at.toISOString().slice(0, 'YYYY-MM-DD'.length)}`
}

export const TEXT_REMOVED = 'Its text was removed on'

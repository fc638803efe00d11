/**
 * A process of the search indexes (see index-processes.ts): its functions are what it can be asked, one at a time. It
 * keeps a few files open.
 */
import fs from 'node:fs'
import { findMentions, findQuote, type Mention, type Quote } from '../../model/search/quote.ts'
import type { SearchQuery } from '../../model/search/search-query.ts'
import { segmentsOfStored } from '../../model/transcripts/transcript-body.ts'
import { addTexts, confirmStanding, findBehind, readStanding, type Standing } from './add-texts.ts'
import { askIndex, askMentions, listMatches } from './ask-mentions.ts'
import { copyIndexFile, type IndexFile, openIndexFile, removeIndexFile } from './index-file.ts'
import type {
  IndexAnswer,
  IndexedJob,
  IndexQuestion,
  MatchesAnswer,
  MatchesQuestion,
  MentionsAnswer,
  MentionsQuestion,
  TextsToIndex,
} from './messages.ts'

const OPEN_FILES_MAX = 8
/** `searchFileMs` of the deadlines, as index-processes.ts hands it on. */
const FILE_MS = Number(process.argv[2])

/**
 * Open indexes, the least recently used first. `inode` is that of the file as it was opened; where the path has another
 * one by now, the file was replaced.
 */
const open = new Map<string, { index: IndexFile; inode: number }>()

// Control-C in a terminal reaches this process, too; its service answers open requests first, and then ends it.
for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => undefined)

type At = { path: string }

export function standing({ path }: At): Standing {
  return withIndex(path, readStanding)
}

export function behind({ path, jobs }: At & { jobs: IndexedJob[] }): IndexedJob[] | null {
  return withIndex(path, (index) => findBehind(index, jobs))
}

/** Adds texts. Returns false where another process added meanwhile. */
export function add({ path, texts }: At & { texts: TextsToIndex }): boolean {
  return withIndex(path, (index) => addTexts(index, texts))
}

export function confirm({ path, ...known }: At & { fingerprint: string; jobs: number }): boolean {
  return withIndex(path, (index) => confirmStanding(index, known.fingerprint, known.jobs))
}

export function remove({ path }: At): void {
  forget(path)
  removeIndexFile(path)
}

/** Returns how the copy stands; null where there was no moment for one. */
export function copy({ path, to }: At & { to: string }): Standing | null {
  return withIndex(path, (index) => (copyIndexFile(index, path, to) ? readStanding(index) : null))
}

export function ask({ path, question }: At & { question: IndexQuestion }): IndexAnswer {
  return withIndex(path, (index) => askIndex(index, question))
}

export function mentions({ path, question }: At & { question: MentionsQuestion }): MentionsAnswer {
  return withIndex(path, (index) => askMentions(index, question))
}

export function matches({ path, question }: At & { question: MatchesQuestion }): MatchesAnswer {
  return withIndex(path, (index) => listMatches(index, question))
}

/** Returns mentions of each of the texts, after its first `skip` and at most `take`; at most `most` of all texts. */
export function mentionsOf({
  query,
  texts,
  most,
}: {
  query: SearchQuery
  texts: { stored: Uint8Array; skip: number; take: number }[]
  most: number
}): Mention[][] {
  let left = most
  return texts.map(({ stored, skip, take }) => {
    if (left === 0) return []
    const segments = segmentsOfStored(stored)
    const found = findMentions(segments, query, { skip, take: Math.min(take, left) })
    left -= found.length
    return found
  })
}

/** Returns where the query is said in each of the texts, as they are stored. */
export function quote({
  query,
  texts,
}: {
  query: SearchQuery
  texts: Uint8Array[]
}): (Quote | null)[] {
  return texts.map((stored) => findQuote(segmentsOfStored(stored), query))
}

/** Works on an open index; after an error it is closed. */
function withIndex<T>(path: string, work: (index: IndexFile) => T): T {
  try {
    return work(indexOf(path))
  } catch (error) {
    forget(path)
    throw error
  }
}

function indexOf(path: string): IndexFile {
  const known = open.get(path)
  if (known !== undefined && inodeOf(path) === known.inode) {
    open.delete(path)
    open.set(path, known)
    return known.index
  }
  forget(path)
  const index = openIndexFile(path, FILE_MS)
  open.set(path, { index, inode: inodeOf(path) ?? 0 })
  const [oldest] = open.keys()
  if (open.size > OPEN_FILES_MAX && oldest !== undefined) forget(oldest)
  return index
}

function forget(path: string): void {
  open.get(path)?.index.close()
  open.delete(path)
}

function inodeOf(path: string): number | null {
  return fs.statSync(path, { throwIfNoEntry: false })?.ino ?? null
}

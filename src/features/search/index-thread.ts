/** A process of the search indexes (see index-threads.ts): one request, one reply, again. It keeps a few files open. */
import fs from 'node:fs'
import { findQuote } from '../../model/search/quote.ts'
import { segmentsOfStoredSync } from '../../model/transcripts/transcript-body.ts'
import { addTexts, confirmStanding, findBehind, readStanding } from './add-texts.ts'
import { askIndex } from './ask-index.ts'
import { type IndexFile, isDamage, openIndexFile, removeIndexFile } from './index-file.ts'
import type { IndexReplies, IndexReply, IndexRequest } from './messages.ts'

const OPEN_FILES_MAX = 8

/**
 * Open indexes, the least recently used first. `inode` is that of the file as it was opened; where the path has another
 * one by now, the file was replaced.
 */
const open = new Map<string, { index: IndexFile; inode: number }>()

// Control-C in a terminal reaches this process, too; its service answers open requests first, and then ends it.
for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => undefined)

export function replyTo(request: IndexRequest): IndexReply {
  try {
    return { kind: 'done', value: answer(request) }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    if ('path' in request) forget(request.path)
    return { kind: isDamage(error) ? 'broken' : 'failed', reason }
  }
}

function answer(request: IndexRequest): IndexReplies[IndexRequest['kind']] {
  switch (request.kind) {
    case 'standing':
      return readStanding(indexOf(request.path))
    case 'behind':
      return findBehind(indexOf(request.path), request.jobs)
    case 'add':
      return addTexts(indexOf(request.path), request.texts) ? bytesOf(request.path) : null
    case 'confirm':
      return confirmStanding(indexOf(request.path), request.fingerprint, request.jobs)
    case 'remove':
      forget(request.path)
      removeIndexFile(request.path)
      return true
    case 'ask':
      return askIndex(indexOf(request.path), request.question)
    case 'quote':
      return request.texts.map((stored) => findQuote(segmentsOfStoredSync(stored), request.query))
    default:
      return request satisfies never
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
  const index = openIndexFile(path)
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

function bytesOf(path: string): number {
  const sizes = [path, `${path}-wal`].map(
    (file) => fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0,
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}

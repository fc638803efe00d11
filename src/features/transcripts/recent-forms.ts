/**
 * Compressed forms of what this process recorded a short while ago. Most jobs are read as soon as they end: their files
 * are then sent as they were packed, instead of read, opened and packed again. By the SHA-256 of their content, which
 * whoever asks has read from the database: nobody is given what is not, or no longer, recorded as theirs.
 */
import { LRUCache } from 'lru-cache'
import { LIMITS } from '../../kit/config/config.ts'
import type { Member, MemberFacts } from '../../model/transcripts/gzip-member.ts'

/** Compressed forms of what was recorded last, for those who read a job when it ends: 900 talks, for so long. */
const RECENT_FORMS_BYTES = 32 * 1024 * 1024

export type RecentForms = {
  /** What is kept, with what keeping it takes. */
  readonly bytes: number
  /** The member's bytes must not change any more. */
  keep(member: Member): void
  /** The gzip member of what was recorded so; null where it is not at hand. */
  find(facts: MemberFacts): Buffer | null
  /** Gives back what was kept for too long. */
  sweep(): void
  clear(): void
}

/** At most `bytesMax` bytes, for `keptMs` each; what was not asked for the longest goes first. */
export function openRecentForms(bytesMax: number, keptMs: number): RecentForms {
  const kept = new LRUCache<string, Buffer>({
    maxSize: bytesMax,
    sizeCalculation: ({ length }) => length + ENTRY_BYTES,
    ttl: keptMs,
  })
  return {
    get bytes() {
      return kept.calculatedSize
    },
    keep: ({ sha256, gzip }) => void kept.set(sha256, gzip),
    find({ sha256, gzipBytes }) {
      const gzip = kept.get(sha256)
      // The same content may be recorded as another build compressed it.
      return gzip?.length === gzipBytes ? gzip : null
    },
    sweep: () => void kept.purgeStale(),
    clear: () => kept.clear(),
  }
}

/** What an entry takes beside its bytes: its name, its buffer's own record and its place among the others. */
const ENTRY_BYTES = 400

/** Those of this process, which sweeps them where it keeps any. */
export const recentForms = openRecentForms(RECENT_FORMS_BYTES, LIMITS.recentFormsMs)

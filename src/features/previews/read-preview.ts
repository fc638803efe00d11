/** Reads a preview as it is now, or as it is when it is ready. */
import { setTimeout as sleep } from 'node:timers/promises'
import { readSource } from '../../model/platform/source.ts'
import type { Db } from '../../store/database.ts'
import { findPreview, type PreviewRecord } from '../../store/previews.ts'
import {
  type Finding,
  type Findings,
  newFinding,
  NO_FINDINGS,
  withoutTime,
} from '../../model/previews/preview.ts'

/** How often a waiting request looks. */
const PREVIEW_LOOK_MS = 250

/** A preview with findings for each line, whatever became of its listing. */
export type PreviewView = Omit<PreviewRecord, 'findings'> & { findings: Findings }

type Owned = { accountId: string; previewId: string }

/** Null where the account has none of that id, or no longer. */
export async function readPreview(db: Db, owned: Owned): Promise<PreviewView | null> {
  const found = await findPreview(db, owned)
  return found === null ? null : viewPreview(found)
}

/** The same, after at most `waitMs`, or when the caller leaves. */
export async function waitForPreview(
  db: Db,
  owned: Owned,
  { waitMs, departure }: { waitMs: number; departure: AbortSignal },
): Promise<PreviewView | null> {
  const untilMs = performance.now() + waitMs
  for (;;) {
    const preview = await readPreview(db, owned)
    const leftMs = untilMs - performance.now()
    if (preview?.state !== 'listing' || leftMs <= 0 || departure.aborted) return preview
    const pauseMs = Math.min(leftMs, PREVIEW_LOOK_MS)
    await sleep(pauseMs, undefined, { signal: departure }).catch(() => undefined)
  }
}

/** What nobody could list in time is told as it is, even where no worker is left to say so. */
export function viewPreview(preview: PreviewRecord): PreviewView {
  const lines = preview.urls.flatMap(unread)
  const findings = preview.findings ?? { ...NO_FINDINGS, sources: lines }
  if (preview.state === 'listing' && !preview.isOverdue) return { ...preview, findings }
  return { ...preview, state: 'ready', findings: withoutTime(findings, lines) }
}

function unread(line: string): Finding[] {
  const reading = readSource(line)
  return reading.kind === 'source' ? [newFinding(line, reading.source)] : []
}

/**
 * What differs from one recording to the next, made the same: ids and secrets become others of their shape, by order of
 * appearance, and instants lie on a clock that each step of the recording moves on.
 */
import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { PRINTED_ADDRESS } from '../../src/api/documents/printed.ts'
import { exampleJob } from '../../src/api/jobs/example-job.ts'
import { EXAMPLE_JOB_ID } from '../../src/api/jobs/schema.ts'
import { linksFrom } from '../../src/api/links.ts'

const EXAMPLE = exampleJob(linksFrom(PRINTED_ADDRESS))
/** When the recording began, by its own clock. */
export const BEGUN_MS = Date.parse(EXAMPLE.createdAt)
const STEP_MS = 1_370
const HOUR_MS = 3_600_000
/** What an attempt to deliver took. */
const DURATION_MS = 83

/** An instant, and the name of the field whose instants are moved by a part of an hour, differently for each id. */
const INSTANT = /("nextLookAt":")?(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d))/g
const UUID = /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g
const NAMED_ID = /\b(prv|sub|whk|dlv|prj|batch)_[0-9a-f]{32}\b/g
const SECRET = /\bwhsec_[\w+/]{43}=/g

export type Steady = {
  /** Begins the next step: all that happens in it is at one instant. */
  step(): Promise<void>
  /** Returns an answer of this step as another recording has it, too. */
  text(json: string): string
}

/** `isFixed` knows the instants that do not depend on when the recording is made. */
export function steadies(isFixed: (ms: number) => boolean, places: [string, string][]): Steady {
  const steps: number[] = []
  const known = new Map<string, string>()
  const counts = new Map<string, number>()
  const shown = new Set<string | undefined>(
    [...JSON.stringify(EXAMPLE).matchAll(INSTANT)].map(([, , text]) => text),
  )

  /** Returns what stands for `raw`: what `make` made of its number among those of its kind. */
  const standIn = (raw: string, kind: string, make: (count: number) => string): string => {
    const found = known.get(raw)
    if (found !== undefined) return found
    const count = counts.get(kind) ?? 0
    counts.set(kind, count + 1)
    const made = make(count)
    known.set(raw, made)
    return made
  }
  /** Returns an instant of the recording, or one that is whole hours away from such. */
  const instant = (raw: string, isAbout: boolean): string => {
    const ms = Date.parse(raw)
    if (shown.has(raw) || isFixed(ms)) return raw
    return standIn(raw, 'instant', () => {
      const latest = steps.length - 1
      const awayMs = Math.round((ms - (steps[latest] ?? 0)) / HOUR_MS) * HOUR_MS
      const at = steps.findLastIndex((begunMs) => begunMs <= ms - awayMs)
      const isOfLatest = at < 0 || (isAbout && awayMs > 0)
      return new Date(BEGUN_MS + (isOfLatest ? latest : at) * STEP_MS + awayMs).toISOString()
    })
  }
  return {
    async step() {
      await sleep(2) // what is over lies in an earlier millisecond
      steps.push(Date.now())
    },
    text: (json) =>
      places
        .reduce((text, [raw, place]) => text.replaceAll(raw, place), json)
        .replace(UUID, (raw) => (raw === EXAMPLE.id ? raw : standIn(raw, 'job', jobId)))
        .replace(NAMED_ID, (raw, kind: string) =>
          standIn(raw, kind, (count) => `${kind}_${digest(kind, count).toString('hex').slice(32)}`),
        )
        .replace(SECRET, (raw) =>
          standIn(raw, 'secret', (at) => `whsec_${digest('secret', at).toString('base64')}`),
        )
        .replace(/"durationMs":\d+/g, `"durationMs":${DURATION_MS}`)
        .replace(INSTANT, (_, name: string | undefined, raw: string) =>
          name === undefined ? instant(raw, false) : name + instant(raw, true),
        ),
  }
}

/** Returns the ids of jobs, which begin with that of the example, and are in order. */
function jobId(count: number): string {
  const last = Number.parseInt(EXAMPLE_JOB_ID.slice(-4), 16)
  return EXAMPLE_JOB_ID.slice(0, -4) + (last + count).toString(16)
}

function digest(kind: string, count: number): Buffer {
  return createHash('sha256').update(`${kind} ${count}`).digest()
}

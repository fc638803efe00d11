/** The doctor's `--record DIR`: an examination whose exchanges are kept for a replay. */
import { counted } from '../kit/text/counted.ts'
import type { OnExchange } from '../platform/egress/connections.ts'
import { openRecording } from '../platform/recording/recording.ts'

type Recorded<T> = { result: T; lines: string[] }

/** Runs `work` with a hook that records its exchanges in a new folder; null records nothing. */
export async function recordedIn<T>(
  folder: string | null,
  work: (onExchange: OnExchange | null) => Promise<T>,
): Promise<Recorded<T>> {
  if (folder === null) return { result: await work(null), lines: [] }
  const recording = await openRecording(folder)
  const result = await work(recording.onExchange).catch(async (error: unknown) => {
    // What was asked until it failed may show why.
    await recording.write().catch(() => {})
    throw error
  })
  return { result, lines: tellRecording(folder, await recording.write()) }
}

function tellRecording(folder: string, { files, leftOut }: { files: number; leftOut: number }) {
  const left = leftOut === 0 ? '' : ` ${leftOut} more are left out, since a bound was reached.`
  return [
    `Recorded ${counted(files, 'exchange')} in ${folder}, without addresses, identities and tokens.${left}`,
    `They are served by: npm run emulator -- --replay ${folder}`,
  ]
}

/** Lines that a batch which rests did not come to, or not to the end of: what is left, and what that costs at most. */
import { type Batch, type Scriptorium, ScriptoriumError } from '../../typescript/src/index.ts'
import { counted } from './delivery-output.ts'
import { takenOf } from './preview-lines.ts'
import { costOf, dollars, microsOf } from './usd.ts'
import { BATCH_VIDEOS_MAX, ORDER_LINES_MAX } from './wish.ts'

type Line = Batch['sources'][number]

/** Returns a sentence for each line; a list that no job came to is looked up, which is free. */
export async function leftLines(client: Scriptorium, batch: Batch): Promise<string[]> {
  // A service of 2.0 does not tell lines.
  const sources = (batch.sources as Line[] | undefined) ?? []
  const left = sources.filter(({ state }) => state === 'not_reached' || state === 'part')
  if (batch.state === 'running' || left.length === 0) return []
  const known = await lookedUp(client, batch, left.slice(0, ORDER_LINES_MAX))
  const price = (microsOf(batch.billing.atMost) ?? 0n) / BigInt(batch.maxVideos)
  const more = left.length - known.length
  const told = known.map((line) => wordsOf(line, price))
  return more === 0 ? told : [...told, `and ${counted(more, 'more line')}`]
}

async function lookedUp(
  client: Scriptorium,
  { input, track }: Batch,
  left: readonly Line[],
): Promise<Line[]> {
  const unknown = left.filter(({ state, left: rest }) => state === 'not_reached' && rest === null)
  if (unknown.length === 0) return [...left]
  const { language, formats, publishedAfter, publishedBefore } = input
  const request = {
    urls: unknown.map(({ line }) => line),
    language,
    formats,
    maxVideos: BATCH_VIDEOS_MAX,
    ...(publishedAfter === null ? {} : { publishedAfter }),
    ...(publishedBefore === null ? {} : { publishedBefore }),
  }
  const choices = { owned: 'skip', ...(track === undefined ? {} : { track }) } as const
  const { sources } = await client.preview(request, choices).catch(asUnknown)
  const found = new Map(sources.map((source) => [source.line, source]))
  return left.map((line) => {
    const told = found.get(line.line)
    if (told === undefined || told.videos === null) return line
    return { ...line, title: told.title, left: takenOf(told, 'skip') }
  })
}

/** Without an answer the lines are told without what they hold. */
function asUnknown(error: unknown): { sources: [] } {
  if (error instanceof ScriptoriumError) return { sources: [] }
  throw error
}

function wordsOf({ line, title, state, left }: Line, price: bigint): string {
  const how = state === 'part' ? 'read in part' : 'not reached'
  const name = title === null ? line : `${title} (${line})`
  if (left === null) return `${name}: ${how}`
  return `${name}: ${how}, ${counted(left, 'video')} left, at most ${dollars(costOf(left, price))}`
}

/** `get --dry-run` of more than a job may have: adds up a preview of each fifty lines. Nothing is ordered. */
import {
  type Preview,
  type PreviewSource,
  RateLimitedError,
  type Scriptorium,
} from '../../../typescript/src/index.ts'
import { counted } from '../delivery-output.ts'
import { EXIT, type ExitCode } from '../failure.ts'
import type { OpenOrder } from '../order.ts'
import type { OrderBody } from '../order-options.ts'
import { begunOf, isFullOf, ownedOf, rowOf } from '../preview-lines.ts'
import { printable } from '../printable.ts'
import { printJson, type Shell } from '../shell.ts'
import { factsOf } from '../table.ts'
import { costOf, dollars, microsOf, usdOf } from '../usd.ts'
import { choicesOf, type Wish } from '../wish.ts'
import { wrapped } from '../wrap.ts'

type Asking = {
  client: Scriptorium
  wish: Wish
  open: OpenOrder | null
  request: OrderBody
  /** Lines of each job. */
  parts: readonly string[][]
  balance: string
  /** Price of a transcript in micros. */
  price: bigint
}

export async function dryRunBatch(shell: Shell, asking: Asking): Promise<ExitCode> {
  const { request, parts, open, balance, price } = asking
  const { owned } = choicesOf(asking.wish)
  const previews = await previewsOf(shell, asking)
  const sources = previews.flatMap((preview) => preview.sources)
  const least = previews.reduce((sum, preview) => sum + preview.wouldTake, 0)
  const isFull = least >= request.maxVideos
  // A preview that the balance lowers says what the balance covers; the rest comes once there is credit.
  const isCovered = previews.every(({ input }) => input.maxVideos === input.requestedMaxVideos)
  const isRead = previews.length === parts.length && sources.every(isWhole)
  const isAllKnown = isCovered && (isFull || isRead)
  const videosMax = isAllKnown ? least : request.maxVideos
  const costAtMost = costOf(videosMax, price)
  if (shell.isJson) {
    const unfinishedBatch = open?.batchId ?? null
    await printJson(shell, { request, videosMax, costAtMost, balance, unfinishedBatch, previews })
    return EXIT.ok
  }
  const { terminal } = shell
  const say = (text: string): string => wrapped(printable(text, terminal), terminal.columns)
  const rows = previews.flatMap((preview) =>
    preview.sources.map((source) => rowOf(source, isFullOf(preview))),
  )
  const missed = parts.slice(previews.length).flat().length
  if (isFull && missed > 0)
    rows.push(['0 to fetch', `${counted(missed, 'more line')}: the lines before take the maximum`])
  const left = isFull ? 0 : parts.length - previews.length
  const sentences = [
    ...(isAllKnown ? [] : [`About ${counted(least, 'video')} as far as is known.`]),
    `The order takes at most ${counted(videosMax, 'video')}, ${dollars(costAtMost)}.`,
    ...(left === 0
      ? []
      : [
          `${left} of ${parts.length} parts of the list were not checked: the service previews 30 an hour.`,
        ]),
    ...ownedOf(sources, { price, again: owned === 'again' ? againOf(previews) : null }),
    `The balance is ${dollars(balance)}. What was delivered before, and videos without captions, are free.`,
  ]
  const body = parts.length > 1 ? `${parts.flat().length} lines` : JSON.stringify(request)
  await terminal.data(
    [say(begunOf(open)), `  ${body}`, '', factsOf(rows, terminal), ...sentences.map(say), ''].join(
      '\n',
    ),
  )
  return EXIT.ok
}

/** Returns the previews that the service grants. */
async function previewsOf(
  { terminal }: Shell,
  { client, wish, request, parts }: Asking,
): Promise<Preview[]> {
  const previews: Preview[] = []
  let left = request.maxVideos
  for (const urls of parts) {
    if (left <= 0) break
    terminal.status(() => `Checking part ${previews.length + 1} of ${parts.length}`)
    try {
      const preview = await client.preview({ ...request, urls, maxVideos: left }, choicesOf(wish))
      previews.push(preview)
      left -= preview.wouldTake
    } catch (error) {
      if (!(error instanceof RateLimitedError) || previews.length === 0) throw error
      break
    }
  }
  terminal.status(null)
  return previews
}

/** Returns what all previewed jobs pay at most for what the account has. */
function againOf(previews: readonly Preview[]): string {
  return usdOf(previews.reduce((sum, { costAgain }) => sum + (microsOf(costAgain) ?? 0n), 0n))
}

function isWhole({ kind, isComplete }: PreviewSource): boolean {
  return kind === 'video' || isComplete
}

/** `get --dry-run`: shows what would be sent, what it would take up and cost. Nothing is ordered. */
import { counted } from '../delivery-output.ts'
import type { Preview, Scriptorium } from '../../../typescript/src/index.ts'
import { sizedOrder } from '../all-videos.ts'
import { EXIT, type ExitCode } from '../failure.ts'
import type { OpenOrder } from '../order.ts'
import { isOfBatch, type OrderBody } from '../order-options.ts'
import { begunOf, isFullOf, ownedOf, rowOf } from '../preview-lines.ts'
import { printJson, type Shell } from '../shell.ts'
import { printable } from '../printable.ts'
import { factsOf } from '../table.ts'
import { dollars, microsOf } from '../usd.ts'
import { choicesOf, orderBody, ORDER_LINES_MAX, plainLines, type Wish } from '../wish.ts'
import { wrapped } from '../wrap.ts'

/** `open` is an interrupted order that the command would go on with, or null. */
export async function dryRun(
  shell: Shell,
  { client, wish, open }: { client: Scriptorium; wish: Wish; open: OpenOrder | null },
): Promise<ExitCode> {
  const { balance, pricePerTranscript, affordableTranscripts } = await client.balance()
  const price = microsOf(pricePerTranscript) ?? 0n
  const order = orderBody(wish, price)
  const isAll = shell.options['all'] === true
  const request = open?.body ?? (isAll ? await sizedOrder(client, wish, order) : order)
  const parts = partsOf(request)
  if (parts.length > 1 || isOfBatch(request)) {
    const { dryRunBatch } = await import('./dry-run-batch.ts')
    return dryRunBatch(shell, { client, wish, open, request, parts, balance, price })
  }
  const preview = await client.preview(request, choicesOf(wish))
  const videosMax = Math.min(request.maxVideos, affordableTranscripts)
  const { costAtMost } = preview
  const isAgain = choicesOf(wish).owned === 'again'
  const unfinishedJob = open?.jobId ?? null
  if (shell.isJson) {
    await printJson(shell, { request, videosMax, costAtMost, balance, unfinishedJob, preview })
    return EXIT.ok
  }
  const { terminal } = shell
  const lines = factsOf(
    preview.sources.map((source) => rowOf(source, isFullOf(preview))),
    terminal,
  )
  const sentences = (texts: readonly string[]): string[] =>
    texts.map((text) => wrapped(printable(text, terminal), terminal.columns))
  await terminal.data(
    [
      ...sentences([begunOf(open)]),
      `  ${JSON.stringify(request)}`,
      '',
      lines.trimEnd(),
      '',
      ...sentences([
        sumOf(preview),
        ...ownedOf(preview.sources, { price, again: isAgain ? preview.costAgain : null }),
        `The balance is ${dollars(balance)}. What was delivered before, and videos without captions, are free.`,
        ...preview.notices,
      ]),
      '',
    ].join('\n'),
  )
  return EXIT.ok
}

/** Returns the lines of each job that the order takes. */
function partsOf({ urls }: OrderBody): string[][] {
  const lines = plainLines(urls)
  if (lines === null || lines.length <= ORDER_LINES_MAX) return [urls]
  const count = Math.ceil(lines.length / ORDER_LINES_MAX)
  return Array.from({ length: count }, (_, at) =>
    lines.slice(at * ORDER_LINES_MAX, (at + 1) * ORDER_LINES_MAX),
  )
}

function sumOf({ state, wouldTake, costAtMost, costExpected }: Preview): string {
  const videos = counted(wouldTake, 'video')
  const so = state === 'ready' ? '' : ' so far; the lists are still being read'
  return `${videos}${so}: at most ${dollars(costAtMost)}, probably ${dollars(costExpected)}.`
}

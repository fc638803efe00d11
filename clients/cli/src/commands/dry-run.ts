/** `get --dry-run`: shows what would be sent, what it would take up and cost. Nothing is ordered. */
import type { Preview, PreviewSource, Scriptorium } from '../../../typescript/src/index.ts'
import { EXIT, type ExitCode } from '../failure.ts'
import type { OpenOrder } from '../order.ts'
import { printJson, type Shell } from '../shell.ts'
import { printable } from '../printable.ts'
import { factsOf } from '../table.ts'
import { dollars, microsOf } from '../usd.ts'
import { orderBody, ownedChoice, type Wish } from '../wish.ts'
import { wrapped } from '../wrap.ts'

/** `open` is an interrupted order that the command would go on with, or null. */
export async function dryRun(
  shell: Shell,
  { client, wish, open }: { client: Scriptorium; wish: Wish; open: OpenOrder | null },
): Promise<ExitCode> {
  const { balance, pricePerTranscript, affordableTranscripts } = await client.balance()
  const request = open?.body ?? orderBody(wish, microsOf(pricePerTranscript) ?? 0n)
  const preview = await client.preview(request, { owned: ownedChoice(wish) })
  const videosMax = Math.min(request.maxVideos, affordableTranscripts)
  const { costAtMost } = preview
  const unfinishedJob = open?.jobId ?? null
  if (shell.isJson) {
    await printJson(shell, { request, videosMax, costAtMost, balance, unfinishedJob, preview })
    return EXIT.ok
  }
  const { terminal } = shell
  const begun =
    open === null
      ? 'Nothing was ordered. Without --dry-run this is sent:'
      : `An interrupted order is left${unfinishedJob === null ? '' : ` (job ${unfinishedJob})`}: the command goes on with it.`
  const lines = factsOf(preview.sources.map(rowOf), terminal)
  const sentences = (texts: readonly string[]): string[] =>
    texts.map((text) => wrapped(printable(text, terminal), terminal.columns))
  await terminal.data(
    [
      ...sentences([begun]),
      `  ${JSON.stringify(request)}`,
      '',
      lines.trimEnd(),
      '',
      ...sentences([
        sumOf(preview),
        ...againOf(preview),
        `The balance is ${dollars(balance)}. What was delivered before, and videos without captions, are free.`,
        ...preview.notices,
      ]),
      '',
    ].join('\n'),
  )
  return EXIT.ok
}

function rowOf(source: PreviewSource): [string, string] {
  const { line, title, owned, wouldTake, error } = source
  if (error !== null) return [`${wouldTake} to take`, `${title ?? line}: ${error}`]
  const held = owned > 0 ? `, ${owned} you already have` : ''
  return [`${wouldTake} to take`, `${title ?? line} (${sizeOf(source)}${held})`]
}

function sizeOf({ kind, videos, isComplete }: PreviewSource): string {
  if (kind === 'video') return 'video'
  const size = videos === null ? 'of unknown length' : `of ${videos}`
  return `${kind} ${size}${isComplete ? '' : ', read in part'}`
}

function sumOf({ state, wouldTake, costAtMost, costExpected }: Preview): string {
  const videos = wouldTake === 1 ? '1 video' : `${wouldTake} videos`
  const so = state === 'ready' ? '' : ' so far; the lists are still being read'
  return `${videos}${so}: at most ${dollars(costAtMost)}, probably ${dollars(costExpected)}.`
}

/** Returns what is bought a second time. */
function againOf({ costAgain }: Preview): string[] {
  if (Number(costAgain) === 0) return []
  return [
    `Of this, ${dollars(costAgain)} is for videos that you have from other orders; without --again they are free.`,
  ]
}

/** Refusals of searches: each reason has its own sentence, and words are blamed only where they are the reason. */
import { Busy, type Problem } from '../../kit/problem.ts'
import { TaskTooSlow, ThreadsClosed, ThreadStarting } from '../../kit/threads.ts'

const RETRY_SECONDS = 1

const SENTENCES = {
  starting: 'Search is starting on this server; try again in a second.',
  stopping: 'This server is stopping; try again in a second.',
  behindOwn: 'The searches that your account asked for before are still being answered; try again.',
  behindOthers: 'The server is busy with other searches; try again in a second.',
  remade: 'The search index of your transcripts is being made again; try again in a second.',
  words: 'Looking these words up took too long; try again, or look for longer or for fewer words.',
  quotes: 'Reading the quotes took too long; try again, or ask for fewer at once.',
} as const

export function searchRefusal(reason: keyof typeof SENTENCES): Problem {
  return new Busy(SENTENCES[reason], RETRY_SECONDS)
}

/** The refusal of what would be taken for an answer about all transcripts. */
export function notIndexed({ indexed, owned }: { indexed: number; owned: number }): Problem {
  return new Busy(
    `So far ${indexed} of your ${owned} transcripts can be searched, and ${owned - indexed} are being added; ` +
      'an answer would lack them. Try again in a second.',
    RETRY_SECONDS,
  )
}

/** Returns why a task of the search's processes was not done; `slow` where it was begun and took too long. */
export function refusalOf(error: unknown, slow: 'words' | 'quotes'): unknown {
  if (error instanceof ThreadStarting) return searchRefusal('starting')
  if (error instanceof ThreadsClosed) return searchRefusal('stopping')
  if (error instanceof TaskTooSlow) return searchRefusal(error.wasBegun ? slow : 'behindOthers')
  return error
}

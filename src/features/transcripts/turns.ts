/** Drives long work in steps, with a turn of the event loop for all other work between two. */
import type { Steps } from '../../model/transcripts/steps.ts'
import { yieldToEventLoop } from '../../kit/concurrency.ts'

/** Runs the steps; each pause between two is a turn for all other work. */
export async function inTurns<T>(steps: Steps<T>): Promise<T> {
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
    await yieldToEventLoop()
  }
}

/** Drives long work in steps, with a turn of the event loop for everybody else between two. */
import type { Steps } from '../../model/transcripts/steps.ts'
import { yieldToEventLoop } from '../../kit/yield-to-event-loop.ts'

/** A pause between two steps is a turn for everybody else. */
export async function inTurns<T>(steps: Steps<T>): Promise<T> {
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
    await yieldToEventLoop()
  }
}

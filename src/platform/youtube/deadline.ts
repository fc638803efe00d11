/** A deadline inside a question: a signal that ends with the question's own, or after some time. */

export type Deadline = {
  readonly signal: AbortSignal
  /** Time ended it. */
  readonly isOver: () => boolean
  /** Nothing is timed or listened to any more. */
  close(): void
}

/**
 * As `AbortSignal.any` with a timeout, at a third of its cost: that keeps each timer until it rings, and finds out by
 * weak references whom it was for.
 */
export function openDeadline(outer: AbortSignal, ms: number): Deadline {
  const own = new AbortController()
  let isOver = false
  const leave = (): void => own.abort(outer.reason)
  const timer = setTimeout(() => {
    isOver = true
    own.abort(new DOMException('the visit took too long', 'TimeoutError'))
  }, ms).unref()
  if (outer.aborted) leave()
  else outer.addEventListener('abort', leave, { once: true })
  return {
    signal: own.signal,
    isOver: () => isOver,
    close() {
      clearTimeout(timer)
      outer.removeEventListener('abort', leave)
    },
  }
}

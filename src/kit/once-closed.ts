/** The end of a stream, which may come before anybody listens for it. */

type Closing = { readonly closed: boolean; once(event: 'close', listener: () => void): unknown }

/** Calls `listener` when the stream closes, and at once where it is closed: `close` is emitted only once. */
export function onceClosed(stream: Closing, listener: () => void): void {
  if (stream.closed) listener()
  else stream.once('close', listener)
}

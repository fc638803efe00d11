/**
 * Loaded into every process of tests before anything of theirs: what one said is never lost when it ends. Node's runner is
 * told of each test through standard output, and what a process had not handed over at `process.exit` was gone: the counts
 * of tests differed from run to run, and some failures had no message.
 */
import { isMainThread } from 'node:worker_threads'

/** What Node keeps under a name of its own: `setBlocking` of a pipe or socket, absent for files. */
type Handled = { _handle?: { setBlocking?(isBlocking: boolean): void } }

if (isMainThread) (process.stdout as Handled)._handle?.setBlocking?.(true)

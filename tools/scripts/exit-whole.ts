/**
 * Loaded into every process of tests before anything else, so that its output is not lost when it ends. Node's runner
 * learns of each test through standard output, and output that a process had not handed over at `process.exit` was
 * lost: counts of tests differed from run to run, and some failures had no message.
 */
import { isMainThread } from 'node:worker_threads'

/** Node's private handle of a stream: `setBlocking` of a pipe or socket, absent for files. */
type Handled = { _handle?: { setBlocking?(isBlocking: boolean): void } }

if (isMainThread) (process.stdout as Handled)._handle?.setBlocking?.(true)

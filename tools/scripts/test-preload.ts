/** Loaded into every process of tests before anything else: output is not lost, and chance has one seed. */
import { isMainThread } from 'node:worker_threads'
import './exit-whole.ts'

// Threads of the service inherit this file, and draw nothing.
if (isMainThread) {
  const [fc, { SEED }] = await Promise.all([
    import('fast-check'),
    import('../../test/support/seed.ts'),
  ])
  fc.configureGlobal({ seed: SEED })
}

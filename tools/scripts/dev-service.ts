/** The service as `npm run dev` runs it: under `node --watch-path`. */

// Without this line every thread reports its imports by a message that crashes the thread pools.
delete process.env.WATCH_REPORT_DEPENDENCIES
await import('../../src/main.ts')

/** The recorded examples of the OpenAPI document; `npm run print -- --examples` records them anew. */
import fs from 'node:fs'
import path from 'node:path'

/** Examples of answers by operationId and status, and of bodies by operationId. */
export type Examples = Record<string, Record<string, { summary: string; value: unknown }>>

export const EXAMPLES_FILE = 'tools/papers/examples.json'

/** Returns the examples as they are at the first call, before which they may be recorded. */
export function readExamples(): Examples {
  const file = path.join(import.meta.dirname, path.basename(EXAMPLES_FILE))
  return (read ??= JSON.parse(fs.readFileSync(file, 'utf8')) as Examples)
}

let read: Examples | null = null

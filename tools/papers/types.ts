/** TypeScript types of the public API, by a public generator that is installed apart with its own compiler. */
import { spawnSync } from 'node:child_process'
import path from 'node:path'

const GENERATOR = path.resolve(import.meta.dirname, '../openapi-types/print.ts')

/** Returns the types of the TypeScript client from the OpenAPI document. */
export function typesOfClient(openapi: object): string {
  const input = JSON.stringify(openapi)
  const printed = spawnSync(process.execPath, [GENERATOR], { input, encoding: 'utf8' })
  if (printed.status !== 0) throw new Error(`${GENERATOR} failed: ${printed.stderr}`)
  return printed.stdout
}

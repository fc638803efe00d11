/** The version of this program, which is also that of the service that serves it. */
import { readFileSync } from 'node:fs'

/** Returns the version that the packing wrote, or 0.0.0 where the program runs from its sources. */
export function ownVersion(): string {
  const manifest = readFileSync(new URL('../package.json', import.meta.url), 'utf8')
  return (JSON.parse(manifest) as { version?: string }).version ?? '0.0.0'
}

/** The version of this program, which is that of the service that serves it. */
import { readFileSync } from 'node:fs'

/** Written by the packing; what runs from its sources has none. */
export function ownVersion(): string {
  const manifest = readFileSync(new URL('../package.json', import.meta.url), 'utf8')
  return (JSON.parse(manifest) as { version?: string }).version ?? '0.0.0'
}

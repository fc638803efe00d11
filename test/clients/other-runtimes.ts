/** Programs beside our own Node that may be installed. */
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'

/**
 * Returns the first program of this name on the path with a suitable version: `npm run` puts our Node before others.
 */
export function programOnPath(
  name: string,
  willDo: (version: string) => boolean = () => true,
): string | null {
  const places = (process.env['PATH'] ?? '').split(path.delimiter)
  const files = places.map((place) => path.join(place, name)).filter((file) => fs.existsSync(file))
  return files.find((file) => willDo(versionOf(file))) ?? null
}

/** Returns the first line of a program's version; empty where it does not run. */
export function versionOf(file: string): string {
  const { status, stdout } = spawnSync(file, ['--version'], { encoding: 'utf8' })
  return status === 0 ? (stdout.split('\n')[0] ?? '') : ''
}

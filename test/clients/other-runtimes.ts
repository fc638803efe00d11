/** Programs besides our own Node that may be at hand. */
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'

/** The first of this name on the path whose version will do: `npm run` puts our Node before others. */
export function programOnPath(
  name: string,
  willDo: (version: string) => boolean = () => true,
): string | null {
  const places = (process.env['PATH'] ?? '').split(path.delimiter)
  const files = places.map((place) => path.join(place, name)).filter((file) => fs.existsSync(file))
  return files.find((file) => willDo(versionOf(file))) ?? null
}

/** Its first line; empty where it does not run. */
export function versionOf(file: string): string {
  const { status, stdout } = spawnSync(file, ['--version'], { encoding: 'utf8' })
  return status === 0 ? (stdout.split('\n')[0] ?? '') : ''
}

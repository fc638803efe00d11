/**
 * Looks for a newer version of this program at the same service, at most once a day, without key or name. Nothing else
 * is asked or sent.
 */
import path from 'node:path'
import { readPrivate, writePrivate } from './private-file.ts'
import type { Shell } from './shell.ts'
import { ownVersion } from './version.ts'

const DAY_MS = 24 * 3600 * 1000
const PATIENCE_MS = 3_000
const NAME = '@scriptorium/cli'

type Look = { atMs: number; server: string; version: string; file: string }
type ServedClient = { name: string; version: string; file: string }

/** Returns `tell`, which prints what is known by then and waits for nothing. */
export function lookForNewer({ settings, places, terminal }: Shell): { tell(): void } {
  const server = settings.server?.value
  const kept = path.join(places.stateFolder, 'newer-version.json')
  let found = server === undefined ? null : readLook(kept, server)
  const giveUp = new AbortController()
  if (server !== undefined && found === null) {
    const timer = setTimeout(() => giveUp.abort(), PATIENCE_MS)
    timer.unref()
    void askServed(server, giveUp.signal).then(
      (served) => {
        if (served === null) return
        found = { atMs: Date.now(), server, ...served }
        writePrivate(kept, found)
      },
      () => undefined,
    ) // The next command tries again where the service was not reached or nothing could be saved.
  }
  return {
    tell() {
      giveUp.abort()
      if (found === null || !isNewer(found.version, ownVersion())) return
      terminal.say(`Version ${found.version} is available: npx ${server}/clients/${found.file}`)
    },
  }
}

function readLook(kept: string, server: string): Look | null {
  const look = readPrivate(kept) as Look | null
  return look?.server === server && Date.now() - look.atMs < DAY_MS ? look : null
}

async function askServed(
  server: string,
  signal: AbortSignal,
): Promise<{ version: string; file: string } | null> {
  const answer = await fetch(`${server}/clients/`, {
    signal,
    headers: { Accept: 'application/json' },
  })
  const clients = (await answer.json()) as ServedClient[]
  const served = clients.find(({ name }) => name === NAME)
  return served === undefined ? null : { version: served.version, file: served.file }
}

function isNewer(served: string, own: string): boolean {
  const [a, b] = [served, own].map((version) => version.split('.').map(Number))
  for (const at of [0, 1, 2]) {
    const difference = (a?.[at] ?? 0) - (b?.[at] ?? 0)
    if (difference !== 0) return difference > 0
  }
  return false
}

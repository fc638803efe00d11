/** `admin clients`: as which of the platform's apps we ask, and which of them the platform retired. */
import type { DatabaseContext } from '../context.ts'
import { readRetired } from '../features/operator/service.ts'
import { CLIENT_PROFILES, type ClientUse, versionOf } from '../platform/youtube/clients.ts'
import { readClients, readPlatformSettings } from '../platform/youtube/settings.ts'
import type { Command } from './command.ts'

/** Time for a feed to answer, in milliseconds. */
const FEED_MS = 30_000

const USE_WORDS: Record<ClientUse, string> = {
  captions: 'captions',
  age_gate: 'age gates',
  date_and_lists: 'dates and lists',
}

export const clientsCommand: Command = {
  usage: 'clients [--json]',
  about:
    'shows the client profiles in use (of PLATFORM_CLIENTS or of this release) and which the platform retired, since when',
  async run(ctx) {
    await readClients(ctx.config, AbortSignal.timeout(FEED_MS)) // refuses what a worker would refuse
    const { file: source, clients: used } = await presentClients(ctx)
    const from = source === null ? 'this release' : `PLATFORM_CLIENTS (${source})`
    const lines = [
      `Client profiles of ${from}, in the order in which they are tried:`,
      ...used.map(({ name, version, use, retiredAt }) => {
        const state = retiredAt === null ? 'in use' : `retired since ${retiredAt.toISOString()}`
        return `  ${name} ${version}, ${USE_WORDS[use]}: ${state}`
      }),
    ]
    return { value: { file: source, clients: used }, lines }
  },
}

/**
 * Presents the client profiles in the order in which they are asked, as JSON; `file` is null for those of this release.
 */
export async function presentClients({ config, db }: DatabaseContext) {
  const { clients: replacing } = await readPlatformSettings(config)
  const retiredSince = await readRetired(db)
  const clients = (replacing ?? CLIENT_PROFILES).map((client) => {
    const { use, userAgent } = client
    const { name, version } = versionOf(client)
    return { name, version, use, userAgent, retiredAt: retiredSince({ name, version }) }
  })
  return { file: replacing === null ? null : config.PLATFORM_CLIENTS, clients }
}

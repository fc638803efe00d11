/** The file of client profiles (`PLATFORM_CLIENTS`): read at the start, and again whenever it changes. */
import fs from 'node:fs/promises'
import type { Logger } from 'pino'
import { type ClientProfile, readClientProfiles } from './clients.ts'
import { ConfigError, sentenceOf } from '../../kit/config/settings.ts'

/** How often the file is checked for changes, and how large it may be. */
const CLIENTS_READ_EVERY_MS = 2_000
const CLIENTS_FILE_BYTES = 256 * 1024

/** Reads the profiles. Throws one sentence that names the setting where the file is missing or wrong. */
export async function readClientsFile(file: string): Promise<ClientProfile[]> {
  return profilesIn(await readText(file))
}

async function readText(file: string): Promise<string> {
  const text = await fs.readFile(file, 'utf8').catch((error: Error) => {
    throw new ConfigError(`PLATFORM_CLIENTS names a file that cannot be read: ${error.message}`)
  })
  if (text.length <= CLIENTS_FILE_BYTES) return text
  throw new ConfigError('PLATFORM_CLIENTS names a file that is too large to be client profiles')
}

function profilesIn(text: string): ClientProfile[] {
  try {
    return readClientProfiles(text)
  } catch (error) {
    throw new ConfigError(
      `PLATFORM_CLIENTS: ${error instanceof Error ? error.message : String(error)}`,
    )
  }
}

export type FileWatch = {
  /** The profiles that were read at the start. */
  inUse: readonly ClientProfile[]
  log: Logger
  use: (profiles: ClientProfile[]) => void
  everyMs?: number
}

/**
 * Reads the file every few seconds, which notices every way in which editors and mounts replace it. A wrong text is
 * logged once and changes nothing. Returns a function that ends the watch.
 */
export function watchClientsFile(
  file: string,
  { inUse, log, use, everyMs = CLIENTS_READ_EVERY_MS }: FileWatch,
): () => void {
  let known = JSON.stringify(inUse)
  let refused = ''
  const look = async (): Promise<void> => {
    try {
      const profiles = await readClientsFile(file)
      refused = ''
      const found = JSON.stringify(profiles)
      if (found === known) return
      known = found
      use(profiles)
      const clients = profiles.map(({ name, context }) => `${name} ${context.clientVersion}`)
      log.info({ file, clients }, 'the client profiles in PLATFORM_CLIENTS changed and are in use')
    } catch (error) {
      const sentence = sentenceOf(error)
      if (sentence === refused) return
      refused = sentence
      log.error(
        { file, reason: sentence },
        'the client profiles changed and are wrong; the old ones stay in use',
      )
    }
  }
  let timer: NodeJS.Timeout | null = null
  const again = (): void => {
    timer = setTimeout(() => {
      void look().finally(() => {
        if (timer !== null) again()
      })
    }, everyMs).unref()
  }
  again()
  return () => {
    if (timer !== null) clearTimeout(timer)
    timer = null
  }
}

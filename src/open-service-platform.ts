/** Opens the platform as the configuration names it, with the budget that all processes share. */
import type { Logger } from 'pino'
import type { Context } from './context.ts'
import { countRequests } from './metrics/count-requests.ts'
import type { Platform } from './platform/platform.ts'
import { platformOptions, watchClients } from './platform/youtube/settings.ts'
import { versionOf } from './platform/youtube/clients.ts'
import {
  type ClientHooks,
  openParts,
  platformOf,
  type PlatformSettings,
  routesInUse,
} from './platform/youtube/open-platform.ts'
import type { Db } from './store/database.ts'
import { forgetRetired, keepRetired } from './store/platform-state.ts'
import { findDelivered } from './store/video-rows.ts'

export function openServicePlatform(context: Context, settings: PlatformSettings): Platform {
  const { config, db, log, metrics, usage, watch } = context
  const options = platformOptions(context, settings)
  const count = countRequests(
    metrics,
    routesInUse(options).map(({ name }) => name),
  )
  const notes = openNotes(db, log)
  const parts = openParts({
    ...options,
    watch,
    findDelivered: (asked) => findDelivered(db, asked),
    onRequest(report) {
      count(report)
      usage.countRequest(report.bytes)
    },
    onMasksOff(fault) {
      metrics.fieldMasksOff.set(1)
      const what =
        fault === 'refused' ? 'refuses field masks' : 'hides captions or dates behind field masks'
      log.error(
        `the platform ${what}; this process asks without them, set PLATFORM_FIELD_MASKS=false`,
      )
    },
    onToken: (outcome) => metrics.proofTokens.inc({ outcome }),
    ...notes.hooks,
  })
  const use = parts.context.clients.replace
  const isReplaced = config.PLATFORM_CLIENTS !== null
  const endWatch = isReplaced ? watchClients(config, { inUse: settings.clients, log, use }) : null
  const platform = platformOf(parts)
  return {
    ...platform,
    async close() {
      endWatch?.()
      await platform.close()
      await notes.written()
    },
  }
}

/** Opens the notes in the database of which versions are retired, for `admin clients`; a lost note does no harm. */
function openNotes(db: Db, log: Logger) {
  let writing = Promise.resolve()
  const write = (work: () => Promise<void>): void => {
    writing = writing.then(work).catch((error: unknown) => {
      log.warn({ err: error }, 'which client versions are retired could not be noted')
    })
  }
  const hooks: ClientHooks = {
    onClientRetired(client) {
      const version = versionOf(client)
      log.error(
        version,
        'the platform no longer accepts this version of a client; set a newer one in PLATFORM_CLIENTS',
      )
      write(() => keepRetired(db, version))
    },
    onClientAccepted(client, { wasRetired }) {
      const version = versionOf(client)
      if (wasRetired) log.info(version, 'the platform accepts this version of a client again')
      write(() => forgetRetired(db, version))
    },
  }
  return { hooks, written: () => writing }
}

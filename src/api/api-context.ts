/** What routes are opened with: the process's context, and what requests share on their way through HTTP. */
import type { Context } from '../context.ts'
import type { Downloads } from '../http/downloads.ts'
import type { JobWaits } from '../jobs/wait-for-job.ts'
import type { Links } from './present.ts'

export type ApiContext = Context & {
  links: Links
  /** Under which callers reach this server; without a trailing slash. */
  publicUrl: string
  waits: JobWaits
  downloads: Downloads
}

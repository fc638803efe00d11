/** What routes are opened with: the process's context, and what requests share on their way through HTTP. */
import type { Context } from '../context.ts'
import type { Downloads } from './files/downloads.ts'
import type { JobFeed } from '../features/jobs/job-feed.ts'
import type { LegalPage } from './site-settings.ts'
import type { DocumentReader } from '../features/oauth/document-reader.ts'
import type { Search } from '../features/search/search.ts'
import type { Links } from './links.ts'

export type ApiContext = Context & {
  links: Links
  /** The address under which callers reach this server; without a trailing slash. */
  publicUrl: string
  feed: JobFeed
  downloads: Downloads
  /** Reads what apps say of themselves at their own addresses. */
  documents: DocumentReader
  search: Search
  /** The operator's own pages, which every page links. */
  legal: readonly LegalPage[]
}

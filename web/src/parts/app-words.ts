/** What each scope allows, in plain words. */
import type { AppQuestion } from '../api/account.ts'

export const SCOPE_WORDS: Record<AppQuestion['scopes'][number], string> = {
  'transcripts:read': 'read your jobs, their transcripts, files and receipts',
  'jobs:write': 'start jobs, which spends your balance, and cancel them',
  'account:read': 'read your balance',
}

/** What each scope allows, for a list of apps. */
export const SCOPE_NAMES: Record<AppQuestion['scopes'][number], string> = {
  'transcripts:read': 'reads transcripts',
  'jobs:write': 'starts jobs',
  'account:read': 'reads the balance',
}

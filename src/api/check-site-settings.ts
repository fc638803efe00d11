/** What the role `api` needs of settings that go together, or that name files: checked before anything is opened. */
import { isProviderSet } from '../features/accounts/auth.ts'
import type { Config } from '../kit/config/config.ts'
import { readLegalPages } from './landing/read-legal-pages.ts'
import { openPayments } from '../features/money/stripe.ts'
import { securityContact } from './security-contact.ts'

/**
 * Checks the settings. Throws one sentence that names the setting: a process with a wrong one has to end before it
 * starts a database, or brings one to a new schema.
 */
export async function checkSiteSettings(config: Config, now: Date): Promise<void> {
  openPayments(config)
  isProviderSet(config)
  securityContact(config, { publicUrl: config.PUBLIC_URL ?? '', now })
  await readLegalPages(config.LEGAL_DIR)
}

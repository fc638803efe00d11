/**
 * What an operator says about the site: legal pages, the contact for vulnerabilities, and the check of these settings
 * at the start.
 */
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { isProviderSet } from '../features/accounts/auth.ts'
import { openPayments } from '../features/money/stripe.ts'
import type { Config } from '../config/config.ts'
import { ConfigError } from '../kit/settings.ts'
import { titleOfProse } from './landing/prose.ts'

export type LegalPage = { path: string; title: string; text: string; isTemplate: boolean }

const LEGAL_TITLES = { terms: 'Terms', privacy: 'Privacy', imprint: 'Imprint' }
/** What tests measure of the website, for its visitors; an operator who has more to say has a file of that name. */
const ACCESSIBILITY = { name: 'accessibility', title: 'Accessibility' }
const DOCUMENTS = path.join(import.meta.dirname, '../../docs')
const TEMPLATES = path.join(DOCUMENTS, 'legal')

/**
 * Returns those of the operator's three pages whose file is there, or templates of all where there is no folder, and
 * the accessibility statement: theirs or ours. Throws one sentence where the folder has none of the three.
 */
export async function readLegalPages(folder: string | null): Promise<LegalPage[]> {
  const { name, title } = ACCESSIBILITY
  const ours = await readPage(DOCUMENTS, name, title)
  const found = await Promise.all(
    Object.entries(LEGAL_TITLES).map(([one, its]) => readPage(folder ?? TEMPLATES, one, its)),
  )
  const pages = found.flat()
  if (folder === null)
    return [
      ...pages.map((page) => ({ ...page, title: `${page.title} (template)`, isTemplate: true })),
      ...ours,
    ]
  if (pages.length === 0)
    throw new ConfigError(`LEGAL_DIR ${folder} has none of terms.md, privacy.md and imprint.md`)
  const theirs = await readPage(folder, name, title)
  return [...pages, ...(theirs.length > 0 ? theirs : ours)]
}

/** Returns the page of a file; an empty list where there is no such file. */
async function readPage(folder: string, name: string, title: string): Promise<LegalPage[]> {
  const text = await readFile(path.join(folder, `${name}.md`), 'utf8').catch(() => null)
  return text === null
    ? []
    : [{ path: `/${name}`, title: titleOfProse(text) ?? title, text, isTemplate: false }]
}

/** Returns the pages that say something of this service: no templates. */
export function publishedOf(legal: readonly LegalPage[]): LegalPage[] {
  return legal.filter(({ isTemplate }) => !isTemplate)
}

/** Returns where the operator's terms stand; null where they have no such page. */
export function termsUrlOf({
  publicUrl,
  legal,
}: {
  publicUrl: string
  legal: readonly LegalPage[]
}): string | null {
  return publishedOf(legal).some((page) => page.path === TERMS_PATH)
    ? `${publicUrl}${TERMS_PATH}`
    : null
}

export const TERMS_PATH = '/terms'

/** What security.txt (RFC 9116) says: whom to tell of a vulnerability. */
type SecurityContact = { text: string; expiresAt: Date }

const DAY_MS = 86_400_000
/** The most days until it expires: the year that RFC 9116 recommends, and the day more of a leap year. */
const DAYS_MAX = 366

/**
 * Returns the contact; null where the operator set none. Throws one sentence for half a setting, and for a date too far
 * away.
 */
export function securityContact(
  config: { SECURITY_CONTACT: string | null; SECURITY_EXPIRES: string | null },
  { publicUrl, now }: { publicUrl: string; now: Date },
): SecurityContact | null {
  const { SECURITY_CONTACT: contact, SECURITY_EXPIRES: expires } = config
  if (contact === null) return null
  if (expires === null)
    throw new ConfigError(
      'SECURITY_EXPIRES must be set with SECURITY_CONTACT: security.txt says until when its contact is good',
    )
  const expiresAt = new Date(`${expires}T00:00:00Z`)
  if (expiresAt.getTime() > now.getTime() + DAYS_MAX * DAY_MS)
    throw new ConfigError(
      `SECURITY_EXPIRES is ${expires}: set it to a day at most a year away, and again before it comes`,
    )
  const text = [
    `Contact: ${contact}`,
    `Expires: ${expiresAt.toISOString()}`,
    'Preferred-Languages: en',
    `Canonical: ${publicUrl}/.well-known/security.txt`,
  ].join('\n')
  return { text: `${text}\n`, expiresAt }
}

/**
 * Checks the settings that go together, or that name files. Throws one sentence that names the setting: a process with
 * a wrong one has to end before it starts a database, or brings one to a new schema.
 */
export async function checkSiteSettings(config: Config, now: Date): Promise<void> {
  openPayments(config)
  isProviderSet(config)
  securityContact(config, { publicUrl: config.PUBLIC_URL ?? '', now })
  await readLegalPages(config.LEGAL_DIR)
}

/** Reads the legal pages that the operator provides, once at the start. */
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { ConfigError } from '../../kit/config/settings.ts'
import { titleOfProse } from './prose.ts'

export type LegalPage = { path: string; title: string; text: string }

const PAGES = [
  { name: 'terms', title: 'Terms' },
  { name: 'privacy', title: 'Privacy' },
  { name: 'imprint', title: 'Imprint' },
]

/** Returns those of the three pages whose file is there. Throws one sentence where the folder has none of them. */
export async function readLegalPages(folder: string | null): Promise<LegalPage[]> {
  if (folder === null) return []
  const found = await Promise.all(
    PAGES.map(async ({ name, title }) => {
      const text = await readFile(path.join(folder, `${name}.md`), 'utf8').catch(() => null)
      return text === null ? [] : [{ path: `/${name}`, title: titleOfProse(text) ?? title, text }]
    }),
  )
  const pages = found.flat()
  if (pages.length === 0)
    throw new ConfigError(`LEGAL_DIR ${folder} has none of terms.md, privacy.md and imprint.md`)
  return pages
}

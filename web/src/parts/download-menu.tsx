/** The files of a job or a collection: one button for all of them, and a menu with the others. */
import type { ReactNode } from 'react'
import { EXPORTS, WHOLES } from '../../../src/model/files/catalogue.ts'
import { MENU_GROUPS } from '../../../src/model/files/file-rows.ts'
import { buttonLook } from './controls.tsx'
import { DownloadIcon } from './icons.tsx'
import { Menu, MENU_ROW } from './menu.tsx'

type OfferedFile = { href: string; name: string }

// ZIPs with more in them than the button gives stand behind the other files.
const { zip, ...others } = WHOLES

/** The files of all texts beside their ZIP, by what they are for. */
const GROUPS = MENU_GROUPS.map((title) => ({ title, files: offersOf(title) }))

function offersOf(group: string): { file: string; name: string }[] {
  return Object.entries({ ...others, ...EXPORTS, zip }).flatMap(([file, { menu, offers }]) => {
    const offered = menu === group ? Object.entries<string>(offers) : []
    return offered.map(([name, query]) => ({
      name,
      file: query === '' ? file : `${file}?${query}`,
    }))
  })
}

/** Rows of a menu with all files of a job or a collection; `query` is what each of its addresses says. */
export function AllFiles({ link, query }: { link: (file: string) => string; query: string }) {
  return GROUPS.map(({ title, files }) => (
    <div key={title} role="group" aria-label={title}>
      <p aria-hidden className="px-3 pt-2 text-xs text-muted">
        {title}
      </p>
      <FileLinks
        files={files.map(({ file, name }) => ({
          name,
          href: link(`${file}${file.includes('?') ? '&' : '?'}${query}`),
        }))}
      />
    </div>
  ))
}

/** `isPart` says that there is more to come, so that the button is not the strongest of its page. */
export function DownloadMenu({
  main,
  children,
  isPart = false,
  isAtEnd = false,
}: {
  main: OfferedFile
  /** The other files. */
  children: ReactNode
  isPart?: boolean
  /** Whether the buttons end where the page or a card ends, and the menu with them. */
  isAtEnd?: boolean
}) {
  return (
    <section
      aria-label="Downloads"
      className={isAtEnd ? 'flex gap-2' : 'mt-6 flex flex-wrap gap-2'}
    >
      <a href={main.href} download className={buttonLook(isPart ? 'plain' : 'primary', 'small')}>
        <DownloadIcon /> {main.name}
      </a>
      <Menu label="Other files" look={buttonLook('plain', 'small')} isAtEnd={isAtEnd}>
        {children}
      </Menu>
    </section>
  )
}

/** Rows of a menu that download a file each. */
export function FileLinks({ files }: { files: readonly OfferedFile[] }) {
  return files.map(({ href, name }) => (
    <a key={href} href={href} download className={MENU_ROW}>
      {name}
    </a>
  ))
}

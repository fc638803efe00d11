/** The files of an order or a collection: a button for its texts as a ZIP, and a menu with the others. */
import type { ReactNode } from 'react'
import { EXPORTS, WHOLES } from '../../../src/model/files/catalogue.ts'
import { MENU_GROUPS } from '../../../src/model/files/file-rows.ts'
import { count } from '../format.ts'
import { buttonLook } from './controls.tsx'
import { DownloadIcon } from './icons.tsx'
import { Menu, MENU_ROW } from './menu.tsx'

type OfferedFile = { href: string; name: string }

/** Query of a file that also holds the texts that other orders brought. */
export const ALL_TEXTS = 'texts=all'
export const NAMED_ZIP = 'zip?names=title'

/**
 * Returns the ZIPs of an order by what is in them: the texts that it brought, and those with what other orders brought.
 * `all` is null where nobody has counted them: both may hold the same then, and only the second is offered.
 */
export function zipsOf(
  link: (file: string) => string,
  { fresh, all }: { fresh: number; all: number | null },
): OfferedFile[] {
  const texts = all === null ? 'All' : all === 1 ? 'The text' : `All ${count(all)}`
  const whole = `${texts} as a ZIP`
  const ones = fresh === 1 ? 'The new one' : `The ${count(fresh)} new ones`
  if (all === fresh) return [{ name: whole, href: link(NAMED_ZIP) }]
  const both = { name: whole, href: link(`${NAMED_ZIP}&${ALL_TEXTS}`) }
  return fresh === 0 || all === null
    ? [both]
    : [{ name: `${ones} as a ZIP`, href: link(NAMED_ZIP) }, both]
}

// ZIPs with more in them than the button gives stand behind the other files.
const { zip, ...others } = WHOLES

type Offer = { file: string; name: string; group: string; isUsual: boolean }

/** The files of all texts beside their ZIP. */
const OFFERS: Offer[] = Object.entries({ ...others, ...EXPORTS, zip }).flatMap(([file, row]) =>
  Object.entries<string>(row.offers).map(([name, query], at) => {
    const isUsual = 'isUsual' in row && at === 0
    return { name, group: row.menu, isUsual, file: query === '' ? file : `${file}?${query}` }
  }),
)
const USUAL = OFFERS.filter(({ isUsual }) => isUsual)
const GROUPS = MENU_GROUPS.map((title) => {
  return { title, offers: OFFERS.filter(({ group, isUsual }) => group === title && !isUsual) }
})

/**
 * Rows of a menu with all files of an order or a collection, the usual ones first; `query` is what each of its
 * addresses says.
 */
export function AllFiles({ link, query }: { link: (file: string) => string; query: string }) {
  const linked = (offers: Offer[]) =>
    offers.map(({ file, name }) => {
      return { name, href: link(`${file}${file.includes('?') ? '&' : '?'}${query}`) }
    })
  return (
    <>
      <FileLinks files={linked(USUAL)} />
      <details>
        <summary className={`${MENU_ROW} cursor-pointer`}>More formats…</summary>
        {GROUPS.map(({ title, offers }) => (
          <div key={title} role="group" aria-label={title}>
            <p aria-hidden className="px-3 pt-2 text-xs text-muted">
              {title}
            </p>
            <FileLinks files={linked(offers)} />
          </div>
        ))}
      </details>
    </>
  )
}

/** On a phone the list begins where the buttons do, wherever its own stands. */
const AT_PHONE_START =
  'max-sm:[&>details]:static max-sm:[&>details>div]:right-auto max-sm:[&>details>div]:left-0'

/** `isPart` says that there is more to come, so that the button is not the strongest of its page. */
export function DownloadMenu({
  zips,
  children,
  isPart = false,
  isAtEnd = false,
}: {
  /** The buttons; the last has all that there is. */
  zips: readonly OfferedFile[]
  /** The other files. */
  children: ReactNode
  isPart?: boolean
  /** Whether the buttons end where the page or a card ends, and the menu with them. */
  isAtEnd?: boolean
}) {
  return (
    <section
      aria-label="Downloads"
      className={`relative flex flex-wrap gap-2 ${isAtEnd ? AT_PHONE_START : 'mt-6'}`}
    >
      {zips.map(({ name, href }, at) => {
        const isMain = !isPart && at === zips.length - 1
        return (
          <a
            key={href}
            href={href}
            download
            className={buttonLook(isMain ? 'primary' : 'plain', 'small')}
          >
            <DownloadIcon /> {name}
          </a>
        )
      })}
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

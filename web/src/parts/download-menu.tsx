/** The files of a job or a collection: one button for all of them, and a menu with the others. */
import { buttonLook } from './controls.tsx'
import { DownloadIcon } from './icons.tsx'
import { Menu, MENU_ROW } from './menu.tsx'

export type OfferedFile = { href: string; name: string }

/** `isPart` says that there is more to come, so that the button is not the strongest of its page. */
export function DownloadMenu({
  main,
  others,
  isPart = false,
  isAtEnd = false,
}: {
  main: OfferedFile
  others: OfferedFile[]
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
        <FileLinks files={others} />
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

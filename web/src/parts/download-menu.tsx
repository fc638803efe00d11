/** The files of a job or a collection: one button for all of them, and a menu with the others. */
import { buttonLook } from './controls.tsx'
import { DownloadIcon } from './icons.tsx'
import { Menu, MENU_ROW } from './menu.tsx'

export type OfferedFile = { href: string; name: string }

export function DownloadMenu({ main, others }: { main: OfferedFile; others: OfferedFile[] }) {
  return (
    <section aria-label="Downloads" className="mt-6 flex flex-wrap gap-2">
      <a href={main.href} download className={buttonLook('primary', 'small')}>
        <DownloadIcon /> {main.name}
      </a>
      <Menu label="Other files" look={buttonLook('plain', 'small')}>
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

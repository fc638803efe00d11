/** The files of a job or a collection: one button for all of them, and a menu with the others. */
import { buttonLook } from './controls.tsx'
import { DownloadIcon } from './icons.tsx'
import { Menu } from './menu.tsx'

export type OfferedFile = { href: string; name: string }

export function DownloadMenu({ main, others }: { main: OfferedFile; others: OfferedFile[] }) {
  return (
    <section aria-label="Downloads" className="mt-6 flex flex-wrap gap-2">
      <a href={main.href} download className={buttonLook('primary', 'small')}>
        <DownloadIcon /> {main.name}
      </a>
      <Menu label="Other files" look={buttonLook('plain', 'small')}>
        {others.map(({ href, name }) => (
          <a
            key={href}
            href={href}
            download
            className="block rounded-lg px-3 py-2 whitespace-nowrap no-underline hover:bg-sunken"
          >
            {name}
          </a>
        ))}
      </Menu>
    </section>
  )
}

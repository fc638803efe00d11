/** The link to a video on its own site, in another tab. */
import { OutIcon } from './icons.tsx'

export function SiteLink({ url, name }: { url: string; name: string }) {
  return (
    <a
      href={url}
      target="_blank"
      rel="noreferrer"
      aria-label={`Open “${name}” on its site`}
      className="block rounded-lg p-2 text-muted hover:bg-sunken hover:text-ink"
    >
      <OutIcon />
    </a>
  )
}

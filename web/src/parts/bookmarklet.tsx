/** A bookmark that opens a new job with the page that the reader is on; it orders nothing by itself. */
import { Section } from './controls.tsx'

export function Bookmarklet() {
  const open = `${location.origin}/new?urls=`
  const program = `javascript:void open('${open}'+encodeURIComponent(location.href))`
  return (
    <Section
      title="Send to Scriptorium"
      about="Drag this link to your bookmarks. On a video, playlist or channel, the bookmark opens a new job with its address. On a phone, install this site as an app and share videos with it."
    >
      {/* React refuses such an address, and the policy of this site to run it: it is for bookmarks. */}
      <a
        ref={(link) => link?.setAttribute('href', program)}
        className="link"
        onClick={(event) => event.preventDefault()}
      >
        Send to Scriptorium
      </a>
    </Section>
  )
}

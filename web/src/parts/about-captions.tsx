/** What is known of a text's captions, behind a quiet button; it is loaded when that is pressed. */
import { Suspense, useState } from 'react'
import type { JobVideo } from '../api/client.ts'
import { lazyPart } from './lazy-part.ts'
import { Menu } from './menu.tsx'

const Facts = lazyPart(async () => (await import('./caption-facts.tsx')).CaptionFacts)

export function AboutCaptions({ video }: { video: JobVideo }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <div className="print:hidden">
      <Menu
        label="Captions and source"
        look="inline-block min-h-6 underline decoration-line underline-offset-4 hover:text-ink"
        isAtEnd
        onToggle={setOpen}
      >
        <div
          // What is pressed in it, such as a copy, leaves it open.
          onClick={(event) => event.stopPropagation()}
          className="min-h-40 w-[min(30rem,calc(100vw-3.5rem))] p-3 font-sans text-ink"
        >
          {isOpen && (
            <Suspense fallback={<p role="status">Loading …</p>}>
              <Facts video={video} />
            </Suspense>
          )}
        </div>
      </Menu>
    </div>
  )
}

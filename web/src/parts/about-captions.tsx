/** The track of a text as a switch to the others of its video; what else is known of its captions is behind it, too. */
import { Suspense, useState } from 'react'
import type { JobVideo } from '../api/client.ts'
import { lazyPart } from './lazy-part.ts'
import { trackWords } from '../words.ts'
import { Menu } from './menu.tsx'

const Facts = lazyPart(async () => (await import('./caption-facts.tsx')).CaptionFacts)

export function AboutCaptions({ video }: { video: JobVideo }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <div className="print:hidden">
      <Menu
        label={`${trackWords(video)} ▾`}
        name={`${trackWords(video)}, captions and source`}
        look="inline-block min-h-6 font-medium text-ink hover:text-accent"
        onToggle={setOpen}
      >
        <div
          // What is pressed in it, such as a copy, leaves it open; what leads to another text does not.
          onClick={(event) =>
            (event.target as Element).closest('a') === null && event.stopPropagation()
          }
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

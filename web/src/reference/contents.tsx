/** The reference's contents, with a box that keeps the entries whose part has all of the words. */
import type { ReferenceChapter } from './parts.ts'

const ENTRY = 'block py-1 text-[0.9375rem] text-muted no-underline wrap-anywhere hover:text-ink'

export function Contents({
  chapters,
  words,
  onWords,
}: {
  chapters: ReferenceChapter[]
  words: string
  onWords: (words: string) => void
}) {
  const found = chapters.reduce((sum, { head, parts }) => sum + (head ? 1 : 0) + parts.length, 0)
  return (
    <nav
      aria-label="Contents"
      className="lg:sticky lg:top-6 lg:max-h-[calc(100dvh-3rem)] lg:overflow-y-auto"
    >
      <input
        type="search"
        aria-label="Search the reference"
        placeholder="Search"
        value={words}
        onChange={(event) => onWords(event.target.value)}
        className="mb-1 h-10 w-full rounded-lg border border-control bg-surface px-3 text-base"
      />
      <p role="status" className="mb-3 min-h-5 text-sm text-muted">
        {words !== '' && (found === 0 ? 'Nothing found' : `${found} found`)}
      </p>
      {/* On a phone the list would come before everything else: it is hidden there until a search. */}
      <div className={words === '' ? 'hidden lg:block' : ''}>
        {words === '' && (
          <a href="#quick-start" className={ENTRY}>
            Quick start
          </a>
        )}
        {chapters.map(({ title, head, parts }) =>
          parts.length === 0 ? (
            <a key={title} href={`#${head?.id}`} className={ENTRY}>
              {title}
            </a>
          ) : (
            <div key={title} className="my-4">
              {head === null ? (
                <p className="text-sm font-semibold">{title}</p>
              ) : (
                <a href={`#${head.id}`} className={`${ENTRY} !text-sm font-semibold !text-ink`}>
                  {title}
                </a>
              )}
              <ul>
                {parts.map((part) => (
                  <li key={part.id}>
                    <a
                      href={`#${part.id}`}
                      className={`${ENTRY} ${part.operation === null ? 'font-mono !text-sm' : ''}`}
                    >
                      {shortened(part.title)}
                    </a>
                  </li>
                ))}
              </ul>
            </div>
          ),
        )}
      </div>
    </nav>
  )
}

/** Returns the first clause: the part itself has the rest. */
function shortened(title: string): string {
  return title.split(/[:;,]/)[0] ?? title
}

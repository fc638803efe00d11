/** The contents of the reference: its pages, the parts of the open one, and a search over the parts of all. */
import { Link } from '@tanstack/react-router'
import { useEffect, useMemo, useState } from 'react'
import { Button } from '../parts/controls.tsx'
import { anchorsOf, chaptersWith, type ReferenceChapter } from './parts.ts'

const ENTRY = `block py-1 text-[0.9375rem] text-muted no-underline wrap-anywhere hover:text-ink
  aria-[current]:font-medium aria-[current]:text-ink`

type Props = { chapters: ReferenceChapter[]; group: string }

export function Contents({ chapters, group }: Props) {
  const [words, setWords] = useState('')
  const [isOpen, setOpen] = useState(false)
  const isSearch = words !== ''
  const found = useMemo(() => chaptersWith(words, chapters), [words, chapters])
  const number = found.reduce((sum, chapter) => sum + anchorsOf(chapter).length, 0)
  const read = useReadPart(chapters, group)
  useEffect(() => setOpen(false), [group])
  return (
    <nav
      aria-label="Contents"
      className="lg:sticky lg:top-6 lg:max-h-[calc(100dvh-3rem)] lg:self-start lg:overflow-y-auto"
    >
      <div className="flex gap-2">
        <input
          type="search"
          aria-label="Search the reference"
          placeholder="Search"
          value={words}
          onChange={(event) => setWords(event.target.value)}
          className="h-10 w-full min-w-0 rounded-lg border border-control bg-surface px-3 text-base"
        />
        <Button
          size="small"
          className="lg:hidden"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          Contents
        </Button>
      </div>
      <p role="status" className={isSearch ? 'mt-2 text-sm text-muted' : 'sr-only'}>
        {isSearch && (number === 0 ? 'Nothing found' : `${number} found`)}
      </p>
      {/* On a phone the list would come before everything else. */}
      <div className={`mt-3 ${isOpen || isSearch ? '' : 'hidden lg:block'}`}>
        {[...new Set(found.map((chapter) => chapter.group))].map((of) => (
          <Page
            key={of}
            chapters={found.filter((chapter) => chapter.group === of)}
            {...{ group, isSearch, read }}
          />
        ))}
      </div>
    </nav>
  )
}

type PageProps = Props & { isSearch: boolean; read: string }

/** A page, and its parts where it is open, or those that a search found. */
function Page({ chapters, group, isSearch, read }: PageProps) {
  const [{ group: own, title } = { group: '', title: '' }] = chapters
  const heads = own === '' ? chapters.flatMap(({ head }) => head ?? []) : []
  const parts = own === '' && !isSearch ? [] : chapters.flatMap((chapter) => chapter.parts)
  return (
    <>
      <Link
        {...(own === '' ? { to: '/docs' } : { to: '/docs/api/$group', params: { group: own } })}
        activeOptions={{ exact: true }}
        className={ENTRY}
      >
        {own === '' ? 'Overview' : title}
      </Link>
      <div className={isSearch || own === group ? 'mb-2 border-l border-line' : 'hidden'}>
        {[...heads, ...parts].map(({ id, title: name, operation }) => (
          <a
            key={id}
            href={`#${id}`}
            aria-current={id === read ? 'location' : undefined}
            className={`${ENTRY} -ml-px border-l border-transparent pl-3 !text-sm aria-[current]:border-accent ${operation === null && own !== '' ? 'font-mono' : ''}`}
          >
            {/* The first clause: the part itself has the rest. */}
            {name.split(/[:;,]/)[0]}
          </a>
        ))}
      </div>
    </>
  )
}

/** Returns the anchor of the part that is read: the last one that begins in the upper third of the window. */
function useReadPart(chapters: ReferenceChapter[], group: string): string {
  const [read, setRead] = useState('')
  useEffect(() => {
    const anchors = chapters.filter((one) => one.group === group).flatMap(anchorsOf)
    const topOf = (id: string) => document.getElementById(id)?.getBoundingClientRect().top
    const look = () =>
      setRead(anchors.findLast((id) => (topOf(id) ?? Infinity) < innerHeight / 3) ?? '')
    look()
    addEventListener('scroll', look, { passive: true })
    return () => removeEventListener('scroll', look)
  }, [chapters, group])
  return read
}

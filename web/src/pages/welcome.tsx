/** The first page for those who are not signed in: what this is, in one screen. */
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect } from 'react'
import { visitQuery } from '../api/queries.ts'
import { buttonLook } from '../parts/controls.tsx'

const POINTS = [
  [
    'Paste anything',
    'Videos, Shorts, playlists, whole channels: many lines at once, newest first.',
  ],
  [
    'Read or download',
    'Paragraphs with times, and every transcript as text, SRT, VTT and JSON, or all in one ZIP.',
  ],
  [
    'Pay for what arrives',
    '$0.008 for each delivered transcript. A video without captions costs nothing.',
  ],
  [
    'Ask again',
    'Send the same lines later to get what is new or next, never the same video twice.',
  ],
] as const

export function WelcomePage() {
  const { data: visit } = useQuery(visitQuery)
  useEffect(() => {
    document.title = 'Scriptorium'
  }, [])
  return (
    <div className="mx-auto max-w-3xl pt-6 sm:pt-14">
      <h1 className="text-[2.5rem] leading-[1.1] sm:text-[3.5rem]">
        The words of a whole channel, on your desk.
      </h1>
      <p className="mt-6 max-w-[52ch] text-lg text-muted">
        Scriptorium fetches the captions that videos publish and gives them to you as text you can
        read, search and keep.
      </p>
      <div className="mt-8 flex flex-wrap gap-3">
        {visit?.signUp !== 'closed' && (
          <Link to="/sign-up" className={buttonLook('primary')}>
            Create an account
          </Link>
        )}
        <Link to="/sign-in" className={buttonLook('plain')}>
          Sign in
        </Link>
      </div>
      <dl className="mt-16 grid gap-x-12 gap-y-8 border-t border-line pt-10 sm:mt-24 sm:grid-cols-2">
        {POINTS.map(([title, text]) => (
          <div key={title}>
            <dt className="font-serif text-lg font-semibold">{title}</dt>
            <dd className="mt-1 text-muted">{text}</dd>
          </div>
        ))}
      </dl>
    </div>
  )
}

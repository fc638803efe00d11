/** The pages for an unknown address and for a page that broke. */
import { useQuery } from '@tanstack/react-query'
import { Link, useRouter } from '@tanstack/react-router'
import { visitQuery } from '../api/queries.ts'
import { Button, buttonLook } from '../parts/controls.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { Failed, Waiting, type WaitingProps } from '../parts/states.tsx'
import { isMissing, ScriptoriumError } from '../api/problem.ts'
import { PAGE_NAMES } from '../words.ts'

export function NotFoundPage() {
  const { data: visit } = useQuery(visitQuery)
  const isSignedIn = visit?.email != null
  return (
    <>
      <PageHead
        title="Page not found"
        name="Not found"
        about="The address may be mistyped, or the page belongs to another account."
      />
      <p className="flex flex-wrap gap-3">
        {isSignedIn && (
          <Link to="/library" className={buttonLook('primary')}>
            {PAGE_NAMES.library}
          </Link>
        )}
        <Link to="/" className={buttonLook(isSignedIn ? 'plain' : 'primary')}>
          To the start page
        </Link>
        <Link to={isSignedIn ? '/jobs' : '/sign-in'} className={buttonLook('plain')}>
          {isSignedIn ? PAGE_NAMES.jobs : 'Sign in'}
        </Link>
      </p>
    </>
  )
}

/** Stands in the place of a page until its answer is there. */
export function WaitingPage(waiting: WaitingProps) {
  return isMissing(waiting.query.error) ? <NotFoundPage /> : <Waiting {...waiting} />
}

export function PageFailed({ error }: { error: unknown }) {
  const router = useRouter()
  const isTold = error instanceof ScriptoriumError
  return (
    <>
      <PageHead
        title="This page could not be shown"
        name="Not shown"
        about={isTold ? undefined : 'Something on it broke. That is our fault, not yours.'}
      />
      {isTold && <Failed error={error} />}
      <p className="mt-6 flex flex-wrap gap-3">
        <Button kind="primary" onClick={() => void router.invalidate()}>
          Try again
        </Button>
        <Link to="/" className={buttonLook('plain')}>
          To the start page
        </Link>
      </p>
    </>
  )
}

/** The pages for an unknown address and for a page that broke. */
import { Link, useRouter } from '@tanstack/react-router'
import { buttonLook } from '../parts/controls.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { Failed } from '../parts/states.tsx'

export function NotFoundPage() {
  return (
    <>
      <PageHead
        title="Page not found"
        name="Not found"
        about="The address may be mistyped, or the page belongs to another account."
      />
      <Link to="/" className={buttonLook('primary')}>
        To the start page
      </Link>
    </>
  )
}

export function PageFailed({ error }: { error: unknown }) {
  const router = useRouter()
  return <Failed error={error} onRetry={() => void router.invalidate()} />
}

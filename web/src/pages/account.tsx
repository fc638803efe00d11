/** The account: keys, apps, mail about jobs, ways to sign in, and taking one's data along. */
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { visitQuery } from '../api/queries.ts'
import { ApiKeysSection } from '../parts/api-keys.tsx'
import { ConnectedApps } from '../parts/connected-apps.tsx'
import { buttonLook, Section } from '../parts/controls.tsx'
import { JobMailSection } from '../parts/job-mail.tsx'
import { LeavingSection } from '../parts/leaving.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { SignInWays } from '../parts/sign-in-ways.tsx'

export function AccountPage() {
  const { data: visit } = useQuery(visitQuery)
  return (
    <>
      <PageHead title="Account" name="Account" about={visit?.email ?? ' '} />
      <div className="space-y-12">
        <ApiKeysSection />
        <ConnectedApps />
        <WebhooksSection />
        <JobMailSection />
        <SignInWays />
        <LeavingSection />
      </div>
    </>
  )
}

function WebhooksSection() {
  return (
    <Section
      title="Webhooks"
      about="A server of yours is told of each job that ends, signed and at least once."
    >
      <Link to="/webhooks" className={buttonLook('plain')}>
        All webhooks
      </Link>
    </Section>
  )
}

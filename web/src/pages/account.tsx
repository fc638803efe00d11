/** The account: keys, apps and ways to sign in. */
import { useQuery } from '@tanstack/react-query'
import { visitQuery } from '../api/queries.ts'
import { ApiKeysSection } from '../parts/api-keys.tsx'
import { ConnectedApps } from '../parts/connected-apps.tsx'
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
        <JobMailSection />
        <SignInWays />
        <LeavingSection />
      </div>
    </>
  )
}

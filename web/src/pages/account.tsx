/** The account's settings, one page for each part: signing in, keys, apps, notifications, and one's data. */
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { ComponentType } from 'react'
import { visitQuery } from '../api/queries.ts'
import { ApiKeysSection } from '../parts/api-keys.tsx'
import { Bookmarklet } from '../parts/bookmarklet.tsx'
import { ConnectedApps } from '../parts/connected-apps.tsx'
import { buttonLook, Section } from '../parts/controls.tsx'
import { JobMailSection } from '../parts/job-mail.tsx'
import { LeavingSection } from '../parts/leaving.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { SignInWays } from '../parts/sign-in-ways.tsx'
import { SETTINGS, type AccountPart, TAB, TAB_ROW, toOpenTab } from '../parts/page-ways.ts'
import { NotFoundPage } from './not-found.tsx'
import { PAGE_NAMES } from '../words.ts'

const route = getRouteApi('/member/settings/$part')

const CONTENTS: Record<AccountPart, ComponentType> = {
  'sign-in': SignInWays,
  keys: ApiKeysSection,
  apps: AppsPart,
  notifications: NotificationsPart,
  data: LeavingSection,
}

function AppsPart() {
  return (
    <>
      <ConnectedApps />
      <Bookmarklet />
    </>
  )
}

export function AccountPage() {
  const { data: visit } = useQuery(visitQuery)
  const { part: id } = route.useParams()
  const part = SETTINGS.find((one) => one.id === id)
  if (part === undefined) return <NotFoundPage />
  const Content = CONTENTS[part.id]
  return (
    <>
      <PageHead title="Account" name={`${part.title} · Account`} about={visit?.email ?? ' '} />
      <div className="gap-x-10 md:grid md:grid-cols-[11.5rem_minmax(0,1fr)] md:border-t md:border-line md:pt-8">
        <SettingsWays here={part.id} />
        <div className="space-y-12 [&>section:first-child]:border-0 [&>section:first-child]:pt-0">
          <Content />
        </div>
      </div>
    </>
  )
}

/** A list at the side of a wide screen, a row of tabs on a narrow one. */
function SettingsWays({ here }: { here: AccountPart }) {
  const look = `${TAB} md:rounded-lg md:border-b-0 md:aria-[current=page]:bg-accent-soft`
  return (
    <nav
      aria-label="Account"
      className={`${TAB_ROW} mb-8 md:mb-0 md:flex-col md:self-start md:border-0`}
    >
      {SETTINGS.map(({ id, title }) => (
        <Link
          key={id}
          to="/settings/$part"
          params={{ part: id }}
          aria-current={id === here ? 'page' : undefined}
          ref={id === here ? toOpenTab : null}
          className={look}
        >
          {title}
        </Link>
      ))}
      <Link to="/billing" className={look}>
        {PAGE_NAMES.billing}
      </Link>
    </nav>
  )
}

function NotificationsPart() {
  return (
    <>
      <JobMailSection />
      <Section
        title={PAGE_NAMES.webhooks}
        about="We notify your server of each job that ends, with signed messages, at least once."
      >
        <Link to="/webhooks" className={buttonLook('plain')}>
          All webhooks
        </Link>
      </Section>
    </>
  )
}
